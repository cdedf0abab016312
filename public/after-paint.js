// The landing page is complete without scripts, so on a slow line its text and fonts come first: the application is
// fetched once something has been painted. A hidden tab paints nothing; there the clock starts it.
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
try {
  new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
} catch {
  requestAnimationFrame(() => setTimeout(start))
}
setTimeout(start, 1000)
