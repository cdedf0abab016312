// The landing page is complete without scripts: the application is fetched once a visitor scrolls, points, taps or presses
// a key, or has stayed for four seconds. Someone who may be signed in or comes by a link with parameters gets it as soon as
// something has been painted, so that text and fonts come first on a slow line. A hidden tab paints nothing; there the
// clock starts it.
const { entry, parts } = document.currentScript.dataset

// What is clicked before the application is there is clicked again as soon as it is (entry-client.tsx).
// A link with data-wait needs the application to carry something along; its value is where it leads without.
let clicked
const remember = (event) => {
  const { target, button, metaKey, ctrlKey, shiftKey } = event
  const link = target.closest('a[data-wait]')
  if (link && button === 0 && !metaKey && !ctrlKey && !shiftKey) {
    event.preventDefault()
    clicked = link
    setTimeout(() => clicked && location.assign(link.dataset.wait), 5000)
    return
  }
  clicked = target.closest('button, input[type=radio]') ?? clicked
}
addEventListener('click', remember, true)
addEventListener('app:hydrating', () => removeEventListener('click', remember, true))
addEventListener('app:ready', () => {
  // A choice that stands already would change nothing, and nobody would hear of it.
  if (clicked?.type === 'radio') clicked.checked = false
  clicked?.click()
  clicked = undefined
})

let started = false
const start = () => {
  if (started) return
  started = true
  for (const href of parts.split(' ')) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href, crossOrigin: '' }))
  }
  import(entry)
}
if (document.documentElement.dataset.session || location.search || location.hash) {
  try {
    new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
  } catch {
    requestAnimationFrame(() => setTimeout(start))
  }
  setTimeout(start, 1000)
} else {
  for (const sign of ['scroll', 'pointermove', 'pointerdown', 'keydown', 'focusin']) {
    addEventListener(sign, start, { capture: true, passive: true })
  }
  setTimeout(start, 4000)
}
