import { showOnScreen } from '#client/ui/show-on-screen.ts'
import { formatList } from '#shared/domain/format.ts'
import { blankLabel } from './blank.tsx'
import type { Filling } from './use-filling.ts'

const maxNamed = 3

/** Says which blanks are empty in the text that was just copied. */
export default function CopiedNote({ missing }: Pick<Filling, 'missing'>) {
  if (missing.length === 0) return null
  const named = missing.slice(0, maxNamed).map((part) => blankLabel(part).split(':')[0] ?? '')
  const others = missing.length - named.length
  const list = formatList(others > 0 ? [...named, `${others} more`] : named)
  return (
    <p ref={showOnScreen} role="status" className="mt-2 text-sm text-accent-ink print:hidden">
      Copied with {missing.length === 1 ? 'one empty blank' : `${missing.length} empty blanks`}: {list}.
    </p>
  )
}
