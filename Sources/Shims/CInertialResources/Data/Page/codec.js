// Decodes the blocks of numbers that `TraceCodec` writes.

/** The integer for a missing value. */
const MISSING = -32768;

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Returns the unchanged bytes of a block in the page, and removes its text, which is not needed again. */
function takeBytes(id) {
  const node = document.getElementById(id);
  const bytes = bytesOf(node.textContent);
  node.remove();
  return bytes;
}

/** Returns the decompressed bytes of a block in the page. */
async function readBlock(id) {
  const stream = new Blob([takeBytes(id)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Decodes integers from two byte planes of their zigzag-coded differences. */
function decodeValues(bytes, start, count) {
  const values = new Int16Array(count);
  let last = 0;
  for (let index = 0; index < count; index += 1) {
    const zigzag = bytes[start + index] | (bytes[start + count + index] << 8);
    last = ((last + ((zigzag >>> 1) ^ -(zigzag & 1))) << 16) >> 16;
    values[index] = last;
  }
  return values;
}

/** Decodes times from four byte planes of their zigzag-coded second differences, in ticks. */
function decodeTimes(bytes, start, count, first, tick) {
  const times = new Float64Array(count);
  let now = 0;
  let step = 0;
  for (let index = 0; index < count; index += 1) {
    const zigzag = bytes[start + index] | (bytes[start + count + index] << 8)
      | (bytes[start + 2 * count + index] << 16) | (bytes[start + 3 * count + index] << 24);
    step += (zigzag >>> 1) ^ -(zigzag & 1);
    now += step;
    times[index] = first + now * tick;
  }
  return times;
}
