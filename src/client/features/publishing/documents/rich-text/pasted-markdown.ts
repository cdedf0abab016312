import { toast } from '#client/lib/toast.ts'
import { hasWords, leftOutOf, markdownOfHtml } from '../pasted-html.ts'
import { imagesOf } from '../writing-handle.ts'

/** Reads what a paste or drop brings: pictures to upload, Markdown, or null to leave it to the browser. */
export function readPasted(data: DataTransfer, isPlain: boolean): { files: File[] } | { markdown: string } | null {
  const html = data.getData('text/html')
  // Word and spreadsheets add a picture of the copied words.
  const files = hasWords(html) ? [] : imagesOf(data, { any: html === '' && data.getData('text/plain') === '' })
  if (files.length > 0) return { files }
  if (isPlain) return null
  const text = data.getData('text/plain').replaceAll(/\r\n?/g, '\n')
  // Code editors color code with HTML.
  if (data.types.includes('vscode-editor-data')) {
    return text.trim().includes('\n') ? { markdown: `\`\`\`\n${text.replace(/\n$/, '')}\n\`\`\`` } : null
  }
  // A copy from the editor is on the clipboard as Markdown too.
  if (html.includes('data-pm-slice')) return { markdown: text }
  const markdown = markdownOfHtml(html)
  const leftOut = leftOutOf(html)
  if (leftOut > 0) {
    toast.message(leftOut === 1 ? 'Left out 1 picture or video' : `Left out ${leftOut} pictures or videos`, {
      id: 'left-out',
      description: 'Save them to this device, then insert them here.',
    })
  }
  return markdown || text !== '' ? { markdown: markdown ?? text } : null
}
