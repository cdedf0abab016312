/** Hands text that the page holds to the browser as a download. */
export function saveFile(name: string, text: string, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken its copy by then; at once would be too early for some.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
