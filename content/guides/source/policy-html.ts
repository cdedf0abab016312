/** The policy as printable HTML with the margins and sizes of the Word file, for the pictures of its pages. */
import { type Block, policyBlocks } from './policy-text.ts'

const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const inline = (text: string) =>
  escape(text)
    .replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')
    .replace(/\{(.+?)\}/g, '<span class="blank">[$1]</span>')
    .replace(/\n/g, '<br>')

function tableHtml({ widths, header, rows, rowHeightTwips }: Extract<Block, { kind: 'table' }>): string {
  const total = widths.reduce((sum, width) => sum + width, 0)
  const columns = widths.map((width) => `<col style="width:${((width / total) * 100).toFixed(2)}%">`).join('')
  const head = header ? `<thead><tr>${header.map((cell) => `<th>${inline(cell)}</th>`).join('')}</tr></thead>` : ''
  const height = rowHeightTwips ? ` style="height:${rowHeightTwips / 20}pt"` : ''
  const body = rows.map((cells) => `<tr${height}>${cells.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`)
  return `<table><colgroup>${columns}</colgroup>${head}<tbody>${body.join('')}</tbody></table>`
}

function blockHtml(block: Block, index: number): string {
  switch (block.kind) {
    case 'title':
      return `<h1>${inline(block.text)}</h1>`
    case 'heading':
      return `<h2${block.pageBreak ? ' class="break"' : ''}>${inline(block.text)}</h2>`
    case 'note':
      return `<div class="note">${block.lines.map((line, at) => `<p>${at === 0 ? `<b>${inline(line)}</b>` : inline(line)}</p>`).join('')}</div>`
    case 'table':
      return tableHtml(block)
    case 'tick':
      return `<p class="item"><i>${block.checked ? '☒' : '☐'}</i>${inline(block.text)}</p>`
    case 'bullet':
      return `<p class="item"><i>•</i>${inline(block.text)}</p>`
    case 'numbered': {
      let first = index
      while (policyBlocks[first - 1]?.kind === 'numbered') first--
      return `<p class="item"><i>${index - first + 1}.</i>${inline(block.text)}</p>`
    }
    default:
      return `<p class="${block.kind}">${inline(block.text)}</p>`
  }
}

export function policyHtml({ publication, edition }: { publication: string; edition: Date }): string {
  const small = "font: 8pt Arial, 'Liberation Sans', sans-serif; color: #5f584e"
  return `<!doctype html><meta charset="utf-8"><style>
@page {
  size: 8.5in 11in; margin: 0.86in 1in 0.79in;
  @top-left { content: 'AI Use Policy'; ${small}; }
  @top-right { content: 'Not sure this is the current version? Ask the policy owner.'; ${small}; }
  @bottom-left { content: 'Based on a template by ${publication}, ${edition.getUTCFullYear()} edition. Not legal advice.'; ${small}; }
  @bottom-right { content: 'Page ' counter(page) ' of ' counter(pages); ${small}; }
}
body { margin: 0; font: 10pt/1.265 Arial, 'Liberation Sans', sans-serif; color: #000; }
h1, h2 { font-family: Georgia, 'Liberation Serif', serif; color: #1f4d3f; }
h1 { font-size: 26pt; font-weight: normal; margin: 8pt 0 2pt; }
h2 { font-size: 13pt; margin: 13pt 0 4.5pt; break-after: avoid; }
h2.break { break-before: page; margin-top: 0; }
p { margin: 0 0 5pt; orphans: 2; widows: 2; }
.subtitle { font-size: 12pt; color: #5f584e; margin-bottom: 12pt; }
.para { margin-top: 4pt; }
.label { font-weight: bold; margin: 10pt 0 4pt; break-after: avoid; }
.item { position: relative; padding-left: 18pt; margin-bottom: 2.5pt; }
.item i { position: absolute; left: 0; font-style: normal; }
.blank { background: #fff1cc; color: #6b4a00; }
.note { background: #fbf7ee; border-left: 2.25pt solid #e0a030; padding: 1pt 0 1pt 8pt; margin-bottom: 10pt; font-size: 9pt; }
.note p { margin: 0; line-height: 1.35; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 9pt; border-top: 0.5pt solid #cfc6b5; }
td, th { border-bottom: 0.5pt solid #cfc6b5; padding: 3pt 5pt 5pt; vertical-align: top; text-align: left; }
td:first-child, th:first-child { padding-left: 0; }
th { color: #5f584e; }
tr { break-inside: avoid; }
</style>${policyBlocks.map(blockHtml).join('')}`
}
