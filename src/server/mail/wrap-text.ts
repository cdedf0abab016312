/** Columns of a plain-text mail: quoted twice in an answer it still fits 80. */
export const textColumns = 76

/** Sets text in lines of at most `columns`, words kept whole; `hanging` begins all lines but the first. */
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
    if (longer.length > columns && current.trim() !== '') {
      lines.push(current)
      current = hanging + word
    } else current = longer
  }
  return [...lines, current].map((each) => each.trimEnd()).join('\n')
}
