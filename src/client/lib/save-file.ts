/** Downloads a text as a file. */
export function saveFile(name: string, text: string, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers need the URL for a moment after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

export const saveJson = ({ fileName, data }: { fileName: string; data: unknown }) =>
  saveFile(fileName, `${JSON.stringify(data, null, 2)}\n`, 'application/json')
