/** A sample's value in the text format of Prometheus; null if there is none with these labels. */
export function sampleOf(text: string, name: string, labels: Record<string, string> = {}): number | null {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  for (const line of text.split('\n')) {
    const [, found, inside = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (found === name && wanted.every((each) => inside.split(/,(?=\w+=")/).includes(each))) return Number(value)
  }
  return null
}
