/** Fits 80 columns after being quoted twice. */
export const textColumns = 76

/** Wraps at word boundaries; longer words overflow. `hanging` indents every line but the first. */
export function wrapText(text: string, columns = textColumns, hanging = ''): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns, hanging))
    .join('\n')
}

function wrapLine(line: string, columns: number, hanging: string): string {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`
    if (longer.length > columns && (current.length > columns || current.trim() !== '')) {
      lines.push(current)
      current = hanging + word
    } else current = longer
  }
  return [...lines, current].map((each) => each.trimEnd()).join('\n')
}
