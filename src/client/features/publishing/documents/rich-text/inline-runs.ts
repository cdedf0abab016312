import type { Fragment, Mark, Node } from 'prosemirror-model'

/** A stretch of text with the same marks; `node` for an image, a line break or a merge field. */
export type Run = { text: string; node: Node | null; marks: readonly Mark[] }

const isBreak = ({ node, marks }: Run) =>
  node?.type.name === 'hard_break' || marks.some(({ type }) => type.name === 'line_end')
const isSpace = (run: Run) => isBreak(run) || (run.node === null && run.text.trim() === '' && !has(run, 'code'))
export const has = ({ marks }: Run, name: string) => marks.some(({ type }) => type.name === name)
const emphasis = ['em', 'strong', 'strikethrough', 'link']

/** The inline content as Markdown can say it: no spaces around lines, nor just inside marks. */
export function runsOf(content: Fragment): Run[] {
  const runs = content.content.flatMap((node): Run[] =>
    node.isText ? splitSpaces(node.text ?? '', node.marks) : [{ text: '', node, marks: node.marks }],
  )
  for (const name of emphasis) moveSpacesOut(runs, name)
  return merge(trimLines(runs))
}

function splitSpaces(text: string, marks: readonly Mark[]): Run[] {
  if (marks.some(({ type }) => type.name === 'code')) return [{ text: text.replaceAll('\n', ' '), node: null, marks }]
  const lineEnd = marks.find(({ type }) => type.name === 'line_end')
  // Text typed next to a line end isn't one.
  const kept = lineEnd && text !== ' ' ? marks.filter((mark) => mark !== lineEnd) : marks
  return (text.replaceAll('\n', ' ').match(/^\s+|\s+$|\S(?:.*\S)?/gs) ?? []).map((part) => ({
    text: part,
    node: null,
    marks: kept,
  }))
}

/** Takes a mark off the spaces at the ends of what it covers, as `** a**` isn't bold in Markdown. */
function moveSpacesOut(runs: Run[], name: string) {
  const takeOff = (run: Run) => {
    run.marks = run.marks.filter(({ type }) => type.name !== name)
  }
  const same = (one: Run | undefined, other: Run) =>
    one?.marks.some((mark) => mark.type.name === name && other.marks.some((another) => mark.eq(another))) ?? false
  for (const [index, run] of runs.entries()) {
    if (has(run, name) && isSpace(run) && !same(runs[index - 1], run)) takeOff(run)
  }
  for (const [index, run] of [...runs.entries()].reverse()) {
    if (has(run, name) && isSpace(run) && !same(runs[index + 1], run)) takeOff(run)
  }
}

/** Removes spaces at the start and end of each line, and breaks at the start and end of all. */
function trimLines(runs: readonly Run[]): Run[] {
  const found: Run[] = []
  for (const run of runs) {
    const last = found.at(-1)
    if (isSpace(run) && (!last || isBreak(last))) {
      // A line end and a line break in a row are one break.
      if (last && run.node && !last.node) found[found.length - 1] = run
      else if (last?.node && run.node) found.push(run)
      continue
    }
    if (isBreak(run))
      while (found.length > 0 && isSpace(found.at(-1) as Run) && !isBreak(found.at(-1) as Run)) found.pop()
    found.push(run)
  }
  while (found.length > 0 && isSpace(found.at(-1) as Run)) found.pop()
  return found
}

function merge(runs: readonly Run[]): Run[] {
  const found: Run[] = []
  for (const run of runs) {
    const last = found.at(-1)
    const isSame =
      last && !last.node && !run.node && !isBreak(last) && !isBreak(run) && sameMarks(last.marks, run.marks)
    if (isSame) found[found.length - 1] = { ...last, text: last.text + run.text }
    else found.push({ ...run })
  }
  return found
}

const sameMarks = (one: readonly Mark[], other: readonly Mark[]) =>
  one.length === other.length && one.every((mark, index) => mark.eq(other[index] as Mark))

/** Equal for contents that readers can't tell apart. */
export function signature(runs: readonly Run[]): string {
  const parts: { content: unknown; marks: string }[] = []
  for (const run of runs) {
    const [last, content] = [parts.at(-1), contentOf(run)]
    const marks = run.marks.flatMap(nameOf).sort().join()
    if (last?.marks === marks && typeof last.content === 'string' && typeof content === 'string')
      last.content += content
    else parts.push({ content, marks })
  }
  return JSON.stringify(parts)
}

function contentOf(run: Run): unknown {
  if (isBreak(run)) return run.node ? { br: true } : ' '
  if (!run.node) return run.text
  return run.node.type.name === 'merge_field' ? run.node.attrs.written : run.node.attrs
}

const nameOf = ({ type, attrs }: Mark): string[] => {
  if (type.name === 'line_end') return []
  return type.name === 'link' ? [`link ${attrs.href} ${attrs.title ?? ''}`] : [type.name]
}
