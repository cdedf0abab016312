import { clsx } from 'clsx'
import { History, type LucideIcon, MapPin, PencilLine, Store } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { FilledPart, ValueSource } from '#shared/domain/fill-placeholders.ts'
import { variables } from '#shared/domain/variables.ts'

const sources: Record<ValueSource, { icon: LucideIcon; text: string }> = {
  location: { icon: MapPin, text: 'from the location' },
  profile: { icon: Store, text: 'from your profile' },
  remembered: { icon: History, text: 'your last answer' },
  typed: { icon: PencilLine, text: 'entered here' },
}

/** "Store name" or "Notes: what happened tonight". */
export const blankLabel = ({ placeholder, text }: FilledPart): string => {
  if (!placeholder?.name) return text.replaceAll(/^\[|\]$/g, '')
  const { label } = variables[placeholder.name]
  return placeholder.hint ? `${label}: ${placeholder.hint}` : label
}

/** Longer words may break, since they might not fit on a phone. */
const maxUnbroken = 24

/** Blanks with fewer characters get a wider tap area, which may overlap the words beside them. */
const minWideLength = 7

/** The accessible name contains the visible text, so that voice control finds it. */
const nameOfEmpty = (part: FilledPart): string => {
  const label = blankLabel(part)
  const shown = part.text.replaceAll(/^\[|\]$/g, '')
  return label.includes(shown) ? `Fill in ${label}` : `Fill in ${label}: ${shown}`
}

/** The icon stays with the last word. */
const splitLastWord = (text: string) => /^(.*?)(\S*\s*)$/s.exec(text)?.slice(1) ?? [text]

type BlankProps = { part: FilledPart; isOpen: boolean; onOpen: () => void; id?: string }

/**
 * A blank in the text of a prompt, or what fills it. A tap opens its field. The tap area is 44 px high without moving the
 * lines apart.
 */
export function Blank({ part, isOpen, onOpen, id }: BlankProps) {
  const { value, shown, source } = part
  const { icon: Icon, text: origin } = source ? sources[source] : { icon: null, text: '' }
  const [before = '', last = ''] = splitLastWord(shown)
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onOpen()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button element doesn't wrap with the lines of the text
    <span
      role="button"
      tabIndex={0}
      id={id}
      aria-expanded={isOpen}
      aria-label={value === null ? nameOfEmpty(part) : `${blankLabel(part)}: ${value}, ${origin}. Change`}
      title={value === null ? 'Tap to fill in' : origin}
      onClick={onOpen}
      onKeyDown={handleKeyDown}
      className={clsx(
        'group/blank cursor-pointer rounded-sm box-decoration-clone bg-clip-content py-3.5 font-medium underline underline-offset-4 focus-visible:outline-none',
        shown.length < minWideLength ? '-mx-2.5 px-3' : 'px-0.5',
        value === null
          ? 'bg-accent-soft text-accent-ink decoration-dotted hover:decoration-solid print:font-bold'
          : 'bg-primary-soft text-ink decoration-line-strong hover:decoration-ink',
      )}
    >
      {/* Above the tap areas of blanks in the lines around it. The ring is around the words: around the tap area it would
          cross out the neighboring lines. */}
      <span
        className={clsx(
          'relative z-1 rounded-sm outline-offset-0 outline-focus group-focus-visible/blank:outline-3',
          isOpen && 'outline-2',
        )}
      >
        {before}
        <span className={clsx(last.length <= maxUnbroken && 'whitespace-nowrap')}>
          {last}
          {Icon && (
            <Icon aria-hidden className="mb-0.5 ml-1 inline size-[0.8em] text-muted print:hidden" strokeWidth={2} />
          )}
        </span>
      </span>
    </span>
  )
}
