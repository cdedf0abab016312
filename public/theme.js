// Runs before the first paint, so that a chosen theme never flashes into the other one. Kept tiny: it blocks the page.
try {
  const html = document.documentElement
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') html.dataset.theme = theme
  // A stored session: the page keeps the place of "Sign In" empty until it is known who is there.
  if (localStorage.getItem(`sb-${location.hostname.split('.')[0]}-auth-token`)) html.dataset.session = 'maybe'
} catch {
  // Storage may be forbidden; the system's theme it is.
}
