// Limits the time of drawings: messages arrive on the same thread, and must not wait for drawings.

/** The wanted cost of a frame of the screen, in milliseconds: a message waits for it. */
const FRAME_COST = 10;
/** The smallest and largest time of a frame's drawings after which the others wait for the next frame, in milliseconds. */
const FRAME_WORK = [0.5, 6];
/** The time between two frames, as a multiple of the first one's cost. */
const FRAME_REST = 3;
/** The usual time between a request and its frame, in milliseconds. */
const FRAME_WAIT = 17;
/** The largest cost that counts, in milliseconds: a hidden page has no frames for hours. */
const LARGEST_COST = 100;

/** Draws what is requested, the oldest request first. */
class Frames {
  constructor() {
    this.drawings = new Set();
    this.isWaiting = false;
    this.work = FRAME_WORK[1];
  }

  /** Requests a drawing, once per frame regardless of the number of requests. */
  request(drawing) {
    this.drawings.add(drawing);
    this.schedule();
  }

  schedule() {
    if (this.isWaiting || this.drawings.size === 0) return;
    this.isWaiting = true;
    const asked = performance.now();
    requestAnimationFrame(() => {
      const begin = performance.now();
      // The next message of the queue comes after the browser's own work for the frame, also after an error of a drawing.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        const end = performance.now();
        // The browser draws canvases after the script, so that a millisecond of drawings may cost several.
        this.work = Math.min(Math.max((this.work * FRAME_COST) / (end - begin), FRAME_WORK[0]), FRAME_WORK[1]);
        // A late frame shows that the browser has not finished the previous one.
        const cost = Math.min(Math.max(end - begin, end - asked - FRAME_WAIT), LARGEST_COST);
        setTimeout(() => { this.isWaiting = false; this.schedule(); }, FRAME_REST * cost);
      };
      port2.postMessage(null);
      this.draw(begin + this.work);
    });
  }

  /** Draws until a time, but at least once. */
  draw(end) {
    for (const drawing of this.drawings) {
      this.drawings.delete(drawing);
      drawing();
      if (performance.now() > end) return;
    }
  }
}
