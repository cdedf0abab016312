/**
 * Puts the cursor in a field by its path (`data-path`), unfolding what it is in; without such a field in what it belongs
 * to. In a text the line, counted from 1, is selected and scrolled to.
 */
export function focusField(path: string, line: number | null = null) {
  const parts = path.split('.')
  for (let length = parts.length; length > 0; length -= 1) {
    const place = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(parts.slice(0, length).join('.'))}"]`)
    if (!place) continue
    const fold = place.closest('details')
    if (fold) fold.open = true
    place.focus({ preventScroll: true })
    place.scrollIntoView({ block: 'center' })
    if (line !== null && place instanceof HTMLTextAreaElement) selectLine(place, line)
    return
  }
}

function selectLine(area: HTMLTextAreaElement, line: number) {
  const lines = area.value.split('\n')
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0)
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  // Browsers show the caret of a field that gains the focus, and not the one of a field that has it.
  area.blur()
  area.focus()
}
