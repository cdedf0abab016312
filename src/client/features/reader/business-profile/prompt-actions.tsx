import { ExternalLink, RotateCcw } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { chooseLocation, type Filling } from './use-filling.ts'
import type { Guard } from './use-paste-guard.tsx'

/** Loaded when it opens. */
const AssistantList = lazy(() => import('./assistant-list.tsx'))

type LocationChooserProps = Pick<Filling, 'locations' | 'location'>

/** Chooses the location that prompts are filled in for. Renders nothing without locations. */
export function LocationChooser({ locations, location }: LocationChooserProps) {
  const id = useId()
  if (locations.length === 0) return null
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm print:hidden">
      <label htmlFor={id} className="font-semibold">
        Fill in for
      </label>
      <select
        id={id}
        value={location?.id ?? ''}
        onChange={({ target }) => chooseLocation(target.value || null)}
        className={`${inputStyles} w-auto! max-w-full pointer-fine:text-sm!`}
      >
        <option value="">My profile</option>
        {locations.map(({ id: value, name, mine }) => (
          <option key={value} value={value}>
            {mine ? name : `${name} (shared with you)`}
          </option>
        ))}
      </select>
    </p>
  )
}

type PromptActionsProps = {
  filling: Filling
  /** Asks first if the prompt's label or its text requires it. */
  guard: Guard
  /** False for a message, which isn't for an assistant. */
  opens?: boolean
  onCopied: () => void
}

/** Opens a filled-in prompt in an assistant, or resets its blanks. */
export function PromptActions({ filling, guard, opens = true, onCopied }: PromptActionsProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()

  return (
    <>
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        {opens && (
          <Button
            variant="secondary"
            size="sm"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <ExternalLink aria-hidden className="size-4" strokeWidth={1.75} />
            Open in …
          </Button>
        )}
        {filling.isEmptied ? (
          <Button variant="quiet" size="sm" onClick={filling.refill}>
            Fill in from my profile
          </Button>
        ) : (
          filling.isFilled && (
            <Button variant="quiet" size="sm" onClick={filling.reset}>
              <RotateCcw aria-hidden className="size-4" strokeWidth={1.75} />
              Reset to blanks
            </Button>
          )
        )}
      </div>
      <div id={id} hidden={!isOpen} className="mt-3 font-sans text-sm print:hidden">
        {isOpen && (
          <Suspense>
            <AssistantList text={filling.text} guard={guard} onCopied={onCopied} />
          </Suspense>
        )}
      </div>
    </>
  )
}
