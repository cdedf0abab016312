import type { Token } from 'markdown-it'
import { textColumns, wrapText } from '#server/mail/wrap-text.ts'
import { altOf } from './email-markdown.ts'

/** Renders Markdown tokens as plain text. */
export function plainText(tokens: readonly Token[], columns = textColumns): string {
  const blocks: string[] = []
  let at = 0
  const inside = (): readonly Token[] => {
    const from = at + 1
    const level = tokens[at]?.level
    do at += 1
    while (at < tokens.length && tokens[at]?.level !== level)
    return tokens.slice(from, at)
  }
  for (; at < tokens.length; at += 1) {
    const token = tokens[at]
    switch (token?.type) {
      case 'heading_open': {
        const words = inside().map((each) => inline(each.children, (text) => text.toUpperCase()))
        blocks.push(wrapText(words.join(' '), columns))
        break
      }
      case 'inline':
        blocks.push(wrapText(inline(token.children), columns))
        break
      case 'blockquote_open':
        blocks.push(indent(plainText(inside(), columns - 2), '> ', '> '))
        break
      case 'callout_open':
      case 'box_open':
        blocks.push(indent(plainText(inside(), columns - 2), '| ', '| '))
        break
      case 'bullet_list_open':
      case 'ordered_list_open':
        blocks.push(list(inside(), token, columns))
        break
      case 'fence':
      case 'code_block':
        blocks.push(indent(token.content.trimEnd(), '    ', '    '))
        break
      case 'table_open':
        blocks.push(table(inside(), columns))
        break
      case 'hr':
        blocks.push('* * *')
        break
    }
  }
  // markdown-it marks paragraphs of tight lists as hidden.
  const close = tokens[0]?.type === 'paragraph_open' && tokens[0].hidden
  return blocks.filter((block) => block !== '').join(close ? '\n' : '\n\n')
}

const indent = (text: string, first: string, others: string) =>
  text
    .split('\n')
    .map((line, index) => ((index === 0 ? first : others) + line).trimEnd())
    .join('\n')

/** Separates items with an empty line if one of them has several paragraphs. */
function list(tokens: readonly Token[], { type, attrs }: Token, columns: number): string {
  const first = Number(attrs?.find(([name]) => name === 'start')?.[1] ?? 1)
  const items: string[] = []
  let from = 0
  tokens.forEach((token, index) => {
    if (token.level !== tokens[0]?.level) return
    if (token.type === 'list_item_open') from = index + 1
    if (token.type !== 'list_item_close') return
    const bullet = type === 'ordered_list_open' ? `${first + items.length}. ` : '- '
    const text = plainText(tokens.slice(from, index), columns - bullet.length)
    items.push(indent(text, bullet, ' '.repeat(bullet.length)))
  })
  return items.join(items.some((item) => item.includes('\n\n')) ? '\n\n' : '\n')
}

/** Writes a table in columns if they fit, otherwise row by row with column names. */
function table(tokens: readonly Token[], columns: number): string {
  const rows: string[][] = []
  tokens.forEach((token, index) => {
    if (token.type === 'tr_open') rows.push([])
    if (token.type === 'th_open' || token.type === 'td_open') {
      rows.at(-1)?.push(inline(tokens[index + 1]?.children ?? null))
    }
  })
  const [head = [], ...body] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  if (widths.reduce((sum, width) => sum + width + 2, -2) <= columns) {
    const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
    const rule = widths.map((width) => '-'.repeat(width)).join('  ')
    return [line(head), rule, ...body.map(line)].map((each) => each.trimEnd()).join('\n')
  }
  const labeledCells = (row: readonly string[]) =>
    row.map((cell, column) =>
      column === 0 ? wrapText(cell, columns) : `  ${wrapText(`${head[column]}: ${cell}`, columns - 2, '    ')}`,
    )
  return body.map((row) => labeledCells(row).join('\n')).join('\n\n')
}

/** `show` changes the words, but not the addresses of links. */
function inline(tokens: readonly Token[] | null, show = (text: string) => text): string {
  let text = ''
  const links: { from: number; href: string }[] = []
  for (const token of tokens ?? []) {
    if (token.type === 'softbreak') text += ' '
    else if (token.type === 'hardbreak') text += '\n'
    else if (token.type === 'image' && token.meta?.isDecorative) continue
    else if (token.type === 'image') text += show(`[Picture: ${altOf(token)}]`)
    else if (token.type === 'image_caption') text += `\n${token.content}`
    else if (token.type === 'file_facts') text += ` (${token.content})`
    else if (token.type === 'audio_player') continue
    else if (token.type === 'video_label') text += ` ${token.content}`
    else if (token.type === 'strong_open' || token.type === 'strong_close') text += '*'
    else if (token.type === 'em_open' || token.type === 'em_close') text += '_'
    else if (token.type === 'link_open') {
      links.push({ from: text.length, href: String(token.attrGet('href') ?? '') })
    } else if (token.type === 'link_close') {
      const link = links.pop()
      const address = link?.href.replace(/^mailto:/, '') ?? ''
      const isAddress = link && text.slice(link.from) === show(address)
      if (link) text = isAddress ? text.slice(0, link.from) + address : `${text} <${address}>`
    } else text += show(token.content)
  }
  return text
}
