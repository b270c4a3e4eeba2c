# The command `inertial` without a toolchain: docker build -t inertial . && docker run --rm -v "$PWD":/data inertial fuse walk.csv
FROM swift:6.3-bookworm AS build
RUN apt-get update -q && apt-get install -q -y make python3 python3-venv && rm -rf /var/lib/apt/lists/*
COPY . /inertial
WORKDIR /inertial
RUN make dist

FROM debian:12-slim
COPY --from=build /inertial/.build/dist/*.deb /tmp/
RUN apt-get update -q && apt-get install -q -y --no-install-recommends /tmp/*.deb \
  && rm -rf /tmp/*.deb /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["inertial"]
CMD ["--help"]
