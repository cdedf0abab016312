/** Addresses of a pasted list, such as lines, cells or "Ana Silva <ana@example.com>, …", each once. */
export function splitAddresses(text: string): string[] {
  const found = text
    .split(/[\n\r\t,;]+/)
    .map((part) => (/<([^<>]*)>/.exec(part)?.[1] ?? part).trim())
    .filter(Boolean)
  return [...new Map(found.map((address) => [address.toLowerCase(), address])).values()]
}
