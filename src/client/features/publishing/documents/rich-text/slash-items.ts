import { calloutLabels, copyLabels } from '#shared/domain/marked-quotations.ts'

type SlashItem = { id: string; label: string; words: string }

const items: readonly SlashItem[] = [
  { id: 'heading', label: 'Heading', words: 'title' },
  { id: 'subheading', label: 'Smaller heading', words: 'subheading' },
  { id: 'bullets', label: 'Bulleted list', words: 'bullets unordered' },
  { id: 'numbers', label: 'Numbered list', words: 'ordered steps' },
  { id: 'image', label: 'Image', words: 'picture photo' },
  ...Object.entries({ ...copyLabels, ...calloutLabels }).map(([id, label]) => ({ id, label, words: 'callout box' })),
  { id: 'quote', label: 'Quotation', words: 'quote blockquote' },
  { id: 'button', label: 'Button', words: 'link action' },
  { id: 'table', label: 'Table', words: 'grid' },
  { id: 'video', label: 'Video', words: 'movie' },
  { id: 'divider', label: 'Divider', words: 'line rule' },
  { id: 'code', label: 'Code', words: 'preformatted' },
  { id: 'first-name', label: 'Reader’s first name', words: 'merge field variable' },
]

/** Items that match the typed words, by the start of a word. */
export function slashItems(query: string): readonly SlashItem[] {
  const typed = query.trim().toLowerCase()
  return items.filter(({ label, words }) => ` ${label} ${words}`.toLowerCase().includes(` ${typed}`))
}
