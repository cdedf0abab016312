import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { announce } from '#client/ui/announce.ts'
import type { FilledPart } from '#shared/domain/fill-placeholders.ts'
import type { Filling } from './use-filling.ts'

export type OpenBlank = ReturnType<typeof useOpenBlank>

/** Which blank of a prompt shows its field, and which one is next. */
export function useOpenBlank({ missing }: Pick<Filling, 'missing'>) {
  const prefix = useId()
  const [at, setAt] = useState<number | null>(null)
  const idOf = (part: Pick<FilledPart, 'at'>) => `${prefix}-${part.at}`

  const close = (part: FilledPart) => {
    flushSync(() => setAt(null))
    document.getElementById(idOf(part))?.focus({ preventScroll: true })
  }
  return {
    idOf,
    isOpen: (part: FilledPart) => part.at === at,
    toggle: (part: FilledPart) => setAt(part.at === at ? null : part.at),
    close,
    /** Goes on to the next blank, and from the last one to an earlier one that was left out. */
    goOn(answered: FilledPart) {
      const others = missing.filter(({ key }) => key !== answered.key)
      const next = others.find((part) => part.at > answered.at) ?? others[0]
      if (next) return setAt(next.at)
      close(answered)
      announce('All blanks are filled in.')
    },
  }
}
