import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { importInBackground } from '#client/lib/background-import.ts'
import { toast } from '#client/lib/toast.ts'
import type { Replaceable } from '#shared/domain/personal-data.ts'
import type { Filling } from './use-filling.ts'

const importGuard = async () => {
  const { default: Panel, findInParts } = await import('./paste-guard.tsx')
  return { default: Panel, findInParts }
}
type PasteGuard = Awaited<ReturnType<typeof importGuard>>

/** Once it is loaded, the check runs within the click: some browsers allow copying only there. */
let loaded: PasteGuard | undefined
const load = async () => {
  loaded ??= await importInBackground(importGuard)
  return loaded
}
const LazyPanel = lazy(load)

/** Decides whether and when the text leaves the page, and with which words. */
export type Guard = (run: (text: string) => void) => void

/** Looks for personal data in what the reader filled in, on this device, before a prompt is copied or opened. */
export function usePasteGuard({ parts, text, privateWords }: Pick<Filling, 'parts' | 'text' | 'privateWords'>): {
  guard: Guard
  question: ReactNode
} {
  const [waiting, setWaiting] = useState<{ run: (text: string) => void; text: string; found: Replaceable[] } | null>(
    null,
  )
  const isWritten = parts.some(({ source }) => source === 'typed' || source === 'remembered')
  const needsCheck = isWritten || (privateWords.length > 0 && parts.some(({ value }) => value !== null))
  useEffect(() => {
    if (needsCheck) load().catch(() => {})
  }, [needsCheck])

  const guard: Guard = (run) => {
    const check = ({ findInParts }: PasteGuard) => {
      const found = findInParts(parts, privateWords)
      if (found.length === 0) return run(text)
      setWaiting({ run, text, found })
    }
    if (!needsCheck) return run(text)
    if (loaded) return check(loaded)
    void load().then(check, () => {
      toast.error('We couldn’t check this text for names and numbers. Read it before you paste it.')
      run(text)
    })
  }
  const question = waiting?.text === text && (
    <Suspense>
      <LazyPanel
        text={text}
        found={waiting.found}
        onUse={(checked) => {
          setWaiting(null)
          waiting.run(checked)
        }}
        onClose={() => setWaiting(null)}
      />
    </Suspense>
  )
  return { guard, question }
}
