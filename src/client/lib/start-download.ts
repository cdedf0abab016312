/** Downloads a file from the server. The response is an attachment, so the page stays open. */
export function startDownload(url: string) {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
