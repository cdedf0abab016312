// Loaded right after the bar, only while there is an announcement: a dismissed bar is removed before it is painted.
{
  const bar = document.getElementById('announcement')
  const { id, until } = bar.dataset
  const isOver = until && Date.now() >= Date.parse(until)
  if (isOver || document.cookie.split('; ').includes(`announcement=${id}`)) bar.remove()
  // Without leaving the page, as the form would.
  bar.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault()
    const secure = location.protocol === 'https:' ? '; secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API works with https only
    document.cookie = `announcement=${id}; path=/; max-age=31536000; samesite=lax${secure}`
    bar.remove()
    document.getElementById('main')?.focus()
  })
}
