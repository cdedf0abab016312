import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { CheckField } from '#client/ui/form.tsx'
import { showOnScreen } from '#client/ui/show-on-screen.ts'
import type { FilledPart } from '#shared/domain/fill-placeholders.ts'
import {
  findPersonalData,
  type PersonalKind,
  type Replaceable,
  replaceFound,
  withStandIns,
} from '#shared/domain/personal-data.ts'

/** In what the reader wrote; of the profile's details and the published text, only the reader's own words count. */
export function findInParts(parts: readonly FilledPart[], privateWords: readonly string[]): Replaceable[] {
  const text = parts.map(({ shown }) => shown).join('')
  let at = 0
  const ranges = parts.map(({ shown, source }) => {
    at += shown.length
    return { start: at - shown.length, end: at, source }
  })
  const isWritten = (source: FilledPart['source']) => source === 'typed' || source === 'remembered'
  const counts = ({ kind, start, end }: { kind: PersonalKind; start: number; end: number }) =>
    ranges.some(
      (range) => start < range.end && end > range.start && (kind === 'word' ? range.source : isWritten(range.source)),
    )
  return withStandIns(text, findPersonalData(text, privateWords).filter(counts))
}

const kinds: Record<PersonalKind, string> = {
  name: 'a name',
  card: 'a card number',
  phone: 'a phone number',
  email: 'an email address',
  word: 'on your list',
}

type PasteGuardProps = {
  text: string
  found: readonly Replaceable[]
  onUse: (text: string) => void
  onClose: () => void
}

/** What was found, each with its stand-in. */
export default function PasteGuard({ text, found, onUse, onClose }: PasteGuardProps) {
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const groups = [...Map.groupBy(found, ({ standIn }) => standIn)]
  const toggle = (standIn: string, isReplaced: boolean) => {
    const others = [...kept].filter((each) => each !== standIn)
    setKept(new Set(isReplaced ? others : [...others, standIn]))
  }
  return (
    <section
      ref={showOnScreen}
      aria-label="Before you paste it"
      className="mt-3 border-l-3 border-accent bg-accent-soft px-4 py-3 font-sans text-sm text-accent-ink print:hidden"
    >
      <p>
        <strong>This may say who someone is.</strong> Replace it by a stand-in? The same words get the same stand-in.
      </p>
      <ul className="mt-1">
        {groups.map(([standIn, items]) => (
          <li key={standIn}>
            <CheckField
              label={
                <span className="[overflow-wrap:anywhere]">
                  <mark className="bg-transparent font-semibold text-inherit underline decoration-dotted underline-offset-4">
                    {[...new Set(items.map((item) => item.text))].join(', ')}
                  </mark>{' '}
                  ({kinds[items[0]?.kind ?? 'word']}) by {standIn}
                </span>
              }
              checked={!kept.has(standIn)}
              onChange={({ target }) => toggle(standIn, target.checked)}
            />
          </li>
        ))}
      </ul>
      <p className="mt-1">
        Checked on this device; nothing was sent. It doesn’t find everything, so read the text yourself.
      </p>
      <p className="mt-2 flex flex-wrap gap-2">
        {kept.size < groups.length && (
          <Button
            size="sm"
            autoFocus
            onClick={() =>
              onUse(
                replaceFound(
                  text,
                  found.filter(({ standIn }) => !kept.has(standIn)),
                ),
              )
            }
          >
            Replace and go on
          </Button>
        )}
        <Button variant="secondary" size="sm" onClick={() => onUse(text)}>
          Leave as it is
        </Button>
        <Button variant="quiet" size="sm" onClick={onClose}>
          Not now
        </Button>
      </p>
    </section>
  )
}
