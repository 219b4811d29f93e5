let pressed = false
let ending: ReturnType<typeof setTimeout> | undefined
const waiting: (() => void)[] = []

function press() {
  clearTimeout(ending)
  pressed = true
}

function release() {
  pressed = false
  for (const act of waiting.splice(0)) act()
}

window.addEventListener('mousedown', press, true)
for (const end of ['mouseup', 'dragend']) {
  // the click comes right behind it
  window.addEventListener(end, () => (ending = setTimeout(release)), true)
}

/**
 * Whoever leaves a field by the mouse has not yet let go of the button. What moves the page waits until then, or the click would
 * miss what it was aimed at.
 */
export function afterPress(act: () => void): void {
  if (pressed) waiting.push(act)
  else act()
}
