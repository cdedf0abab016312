import type { Locator } from '@playwright/test'

/** Replaces what is in a field by pasting, as from a file; the editor takes it as Markdown. */
export async function pasteMarkdown(field: Locator, markdown: string) {
  await field.focus()
  await field.press('ControlOrMeta+a')
  await paste(field, { 'text/plain': markdown })
}

export const paste = (field: Locator, content: Record<string, string>) =>
  field.evaluate((area, parts) => {
    const data = new DataTransfer()
    for (const [type, text] of Object.entries(parts)) data.setData(type, text)
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, content)
