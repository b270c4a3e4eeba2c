// Moves the cursor and the visible range of a view by the pointer.

/**
 * Handles the pointer over a time axis: moving moves the cursor, dragging selects the visible range, dragging with Shift
 * scrolls, two fingers zoom, and a double click shows all. The wheel scrolls the page, and zooms with Control.
 */
function followPointer(canvas, view, margin) {
  const pointers = new Map();
  let begin = null;
  const timeAt = (clientX) => {
    const box = canvas.getBoundingClientRect();
    const share = (clientX - box.left - margin.left) / (box.width - margin.left - margin.right);
    return view.from + share * (view.to - view.from);
  };
  const spread = () => { const [a, b] = [...pointers.values()]; return { center: (a + b) / 2, width: Math.max(8, Math.abs(a - b)) }; };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, event.clientX);
    canvas.setPointerCapture(event.pointerId);
    begin = {
      x: event.clientX, time: timeAt(event.clientX), from: view.from, to: view.to, isMoving: event.shiftKey,
      isTouch: event.pointerType === "touch", pinch: pointers.size === 2 ? spread() : null,
    };
    view.setCursor(begin.time);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, event.clientX);
    if (begin?.pinch && pointers.size === 2) {
      const now = spread();
      const around = timeAt(now.center);
      view.zoom(begin.pinch.width / now.width, around);
      begin.pinch = now;
    } else if (begin?.isMoving) {
      const box = canvas.getBoundingClientRect();
      const step = ((event.clientX - begin.x) / (box.width - margin.left - margin.right)) * (begin.to - begin.from);
      view.setRange(begin.from - step, begin.to - step);
    } else {
      const time = timeAt(event.clientX);
      if (begin && !begin.isTouch && Math.abs(event.clientX - begin.x) > 4) view.selection = [begin.time, time];
      view.setCursor(time);
    }
  });
  const finish = (event) => {
    pointers.delete(event.pointerId);
    if (view.selection) {
      const [from, to] = [Math.min(...view.selection), Math.max(...view.selection)];
      view.selection = null;
      view.setRange(from, to);
    }
    if (pointers.size === 0) begin = null;
  };
  canvas.addEventListener("pointerup", finish);
  canvas.addEventListener("pointercancel", finish);
  canvas.addEventListener("dblclick", () => view.showAll());
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    view.zoom(Math.exp(event.deltaY * 0.002), timeAt(event.clientX));
  }, { passive: false });
}
