/** Sent to an editor that isn't a textarea, with the line's number as its detail. */
export const selectLineEvent = 'select-line'

/**
 * Focuses the field with this `data-path`, or its closest parent path, and opens the `details` around it.
 * In a text, selects and scrolls to `line`, counted from 1.
 */
export function focusField(path: string, line: number | null = null) {
  const parts = path.split('.')
  for (let length = parts.length; length > 0; length -= 1) {
    const field = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(parts.slice(0, length).join('.'))}"]`)
    if (!field) continue
    for (let around = field.closest('details'); around; around = around.parentElement?.closest('details') ?? null) {
      around.open = true
    }
    field.focus({ preventScroll: true })
    field.scrollIntoView({ block: 'center' })
    if (line !== null && field instanceof HTMLTextAreaElement) selectLine(field, line)
    else if (line !== null) field.dispatchEvent(new CustomEvent(selectLineEvent, { detail: line }))
    return
  }
}

function selectLine(area: HTMLTextAreaElement, line: number) {
  const lines = area.value.split('\n')
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0)
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  // Browsers scroll to the selection only when the field gains the focus.
  area.blur()
  area.focus()
}
