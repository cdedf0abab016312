import { clsx } from 'clsx'
import { type KeyboardEvent, type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { isProfileVariable, maxValueLength } from '#shared/domain/business-profile.ts'
import { type FilledPart, suggestValue } from '#shared/domain/fill-placeholders.ts'
import { exampleOf } from '#shared/domain/variable-examples.ts'
import { type VariableType, variables } from '#shared/domain/variables.ts'
import type { Vertical } from '#shared/domain/verticals.ts'
import { toAnswer, toInput } from './answer-format.ts'
import { blankLabel } from './blank.tsx'
import type { Filling } from './use-filling.ts'

type BlankEditorProps = {
  part: FilledPart
  filling: Filling
  vertical: Vertical | null
  /** Opens the next blank without a value, or closes. */
  onDone: (answered: FilledPart) => void
  onClose: () => void
}

/** The field of one blank, in its place in the text. What is typed fills the text at once, and is kept however it closes. */
export function BlankEditor({ part, filling, vertical, onDone, onClose }: BlankEditorProps) {
  const { placeholder } = part
  /** The value when it opened: the part follows what is typed. */
  const [{ value, source }] = useState(part)
  const name = placeholder?.name ?? null
  // A hint asks for words such as "not yet", which a picker couldn't hold.
  const written: VariableType = name ? variables[name].type : 'line'
  const isPicker = (written === 'date' || written === 'time') && !placeholder?.hint
  const canPick = isPicker && (value === null || toInput(written, value) !== '')
  const type = isPicker && !canPick ? 'line' : written
  const [input, setInput] = useState(() => (canPick ? toInput(type, value ?? '') : (value ?? '')))
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const target = filling.targetOf(part)
  const suggestion = placeholder && suggestValue(placeholder, filling.sources)
  const hasOthers = filling.missing.some(({ key }) => key !== part.key)
  const answer = toAnswer(type, input)

  useEffect(() => {
    field.current?.focus()
    field.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  // The value is kept as well when the reader opens another blank, leaves the page or switches to another app.
  const remember = useEffectEvent(filling.remember)
  useEffect(() => {
    const handleHidden = () => remember()
    document.addEventListener('visibilitychange', handleHidden)
    return () => {
      document.removeEventListener('visibilitychange', handleHidden)
      remember()
    }
  }, [])

  const handleInput = (next: string) => {
    setInput(next)
    filling.answer(part, toAnswer(type, next))
  }
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    onDone(part)
  }
  const handleSave = () => {
    filling.save(part, answer)
    onDone(part)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    }
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      onDone(part)
    }
  }

  const shared = {
    ref: field,
    value: input,
    autoComplete: 'off',
    maxLength: name && isProfileVariable(name) && !placeholder?.hint ? maxValueLength : 20_000,
    onChange: ({ target: { value: next } }: { target: { value: string } }) => handleInput(next),
    onKeyDown: handleKeyDown,
  }
  const hasLines = type === 'text' || type === 'list'
  return (
    <form
      onSubmit={handleSubmit}
      className="my-3 grid gap-3 rounded-md border border-line bg-surface p-4 font-sans text-base leading-normal whitespace-normal text-ink print:hidden"
    >
      <Field label={blankLabel(part)} hint={hintOf(part, type, vertical)}>
        {(control) =>
          hasLines ? (
            <textarea {...control} {...shared} rows={type === 'list' ? 4 : 3} className={`${inputStyles} py-2.5`} />
          ) : (
            <input
              {...control}
              {...shared}
              type={canPick ? type : 'text'}
              inputMode={type === 'number' || type === 'money' ? 'decimal' : undefined}
              enterKeyHint={hasOthers ? 'next' : 'done'}
              // WebKit shows a time in an empty field.
              className={clsx(inputStyles, canPick && input === '' && 'text-muted!')}
            />
          )
        }
      </Field>
      {suggestion && input === '' && (
        <p className="text-sm">
          <span className="text-muted">Your profile says: </span>
          <span className="line-clamp-3 [overflow-wrap:anywhere]">{suggestion}</span>
          <Button variant="quiet" size="sm" className="-ml-3" onClick={() => handleInput(suggestion)}>
            Use this
          </Button>
        </p>
      )}
      {(source === 'profile' || source === 'location') && (
        <p className="text-sm text-muted">A change here applies only this time, unless you save it.</p>
      )}
      {!filling.remembers && (
        <p className="text-sm text-muted">This prompt may hold personal data, so your answers stay on this page.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm">
          {hasOthers ? 'Next blank' : 'Done'}
        </Button>
        {target && (
          <Button variant="secondary" size="sm" disabled={answer.trim() === ''} onClick={handleSave}>
            {target.isLocation ? `Save to ${filling.location?.name}` : 'Save to my profile'}
          </Button>
        )}
        <Button variant="quiet" size="sm" onClick={onClose}>
          Close
        </Button>
      </div>
    </form>
  )
}

function hintOf({ placeholder }: FilledPart, type: VariableType, vertical: Vertical | null): string | undefined {
  if (!placeholder?.name) return undefined
  const lines = type === 'list' ? 'One per line. ' : ''
  if (placeholder.hint) return lines.trim() || undefined
  return `${lines}For example: ${exampleOf(placeholder.name, vertical)}`
}
