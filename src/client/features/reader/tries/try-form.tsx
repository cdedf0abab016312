import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type SubmitEvent, useState } from 'react'
import { Link } from 'react-router'
import { announce } from '#client/ui/announce.ts'
import { Button } from '#client/ui/button.tsx'
import { TextAreaField } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { useFocusWhenShown } from '#client/ui/use-focus-when-shown.ts'
import { maxNoteLength, type TriedItem, type TryAnswer } from '#shared/contracts/reader/tries.ts'
import {
  maxMinutesPerWeek,
  minAnswers,
  type TryOutcome,
  tryOutcomeLabels,
  tryOutcomes,
} from '#shared/domain/try-outcomes.ts'
import { tryQuery, useTryChanges } from './tries.api.ts'

type TryFormProps = {
  item: TriedItem & { title: string }
  /** Values that the page knows already. */
  outcome: TryOutcome | null
  /** The answer that a link names. It is highlighted and saved only by a tap. */
  suggested?: TryOutcome | null
  id?: string
}

/** Three answers, then minutes, then a note. Each tap is saved at once. */
export default function TryForm({ item, outcome, suggested = null, id }: TryFormProps) {
  const { data: state } = useQuery(tryQuery(item))
  const { record, remove, remind } = useTryChanges(item)
  const answer = state ? state.answer : outcome && { ...noAnswer, outcome }
  // Saving could overwrite the note of a stored answer that isn't known yet.
  const isUnknown = !state && outcome !== null

  const save = (change: Partial<TryAnswer>, message: string) => {
    if (isUnknown) return
    void record({ ...(answer ?? { ...noAnswer, outcome: 'worked' }), ...change })
    announce(message)
  }
  return (
    <section
      id={id}
      aria-label={`Did it work: ${item.title}`}
      className="mt-2 grid gap-5 border-l-3 border-accent bg-sunken px-4 pt-3.5 pb-4 text-base print:hidden"
    >
      <Outcomes
        chosen={answer?.outcome ?? null}
        suggested={suggested}
        disabled={isUnknown}
        onChoose={(chosen) =>
          save(
            { outcome: chosen, ...(chosen === 'did-not-work' && { minutesPerWeek: null }) },
            `Saved: ${tryOutcomeLabels[chosen]}`,
          )
        }
      />
      {answer && !isUnknown && (
        <>
          {answer.outcome !== 'did-not-work' && (
            <Minutes
              value={answer.minutesPerWeek}
              onChange={(minutesPerWeek) =>
                save(
                  { minutesPerWeek },
                  minutesPerWeek === null ? 'Minutes removed' : `Saved: ${minutesPerWeek} minutes a week`,
                )
              }
            />
          )}
          <Note answer={answer} onSave={(note, shared) => save({ note, shared }, 'Note saved')} />
        </>
      )}
      <div className="-mb-1.5 flex flex-wrap items-center justify-between gap-x-5 text-sm text-muted">
        <p className="py-1.5">
          Private. Others see only totals, once there are {minAnswers} answers.
          {answer && (
            <>
              {' '}
              <Link to="/portal/value" className="text-link whitespace-nowrap">
                See your year
              </Link>
            </>
          )}
        </p>
        {answer ? (
          !isUnknown && (
            <Button
              variant="quiet"
              size="sm"
              className="-mx-3"
              onClick={() => void remove().then(() => announce('Answer removed'))}
            >
              Remove my answer
            </Button>
          )
        ) : state?.reminded ? (
          <p className="py-1.5">We’ll ask you by email a week after you started.</p>
        ) : (
          <Button
            variant="quiet"
            size="sm"
            className="-mx-3"
            onClick={() => void remind().then(() => announce('Reminder set'))}
          >
            Not yet. Remind me in a week
          </Button>
        )}
      </div>
    </section>
  )
}

const noAnswer = { minutesPerWeek: null, note: '', shared: false }

const toggle = (pressed: boolean, suggested = false) =>
  clsx(
    'min-h-[44px] touch-manipulation rounded-md border px-3 font-semibold transition-colors disabled:cursor-not-allowed disabled:text-muted',
    pressed
      ? 'border-success bg-success-soft shadow-[inset_0_0_0_1px_var(--success)]'
      : suggested
        ? 'border-primary bg-primary text-on-primary enabled:hover:bg-primary-hover'
        : 'border-line-strong bg-surface enabled:hover:border-ink',
  )

type OutcomesProps = {
  chosen: TryOutcome | null
  suggested: TryOutcome | null
  disabled: boolean
  onChoose: (outcome: TryOutcome) => void
}

function Outcomes({ chosen, suggested, disabled, onChoose }: OutcomesProps) {
  const isAsking = suggested !== null && chosen !== suggested
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold">
        {isAsking ? `Tap “${tryOutcomeLabels[suggested]}” to save your answer` : 'Did it work?'}
      </legend>
      <div className="mt-2.5 grid gap-2 sm:grid-cols-3">
        {tryOutcomes.map((outcome) => (
          <button
            key={outcome}
            type="button"
            aria-pressed={chosen === outcome}
            disabled={disabled}
            onClick={() => onChoose(outcome)}
            className={toggle(chosen === outcome, isAsking && outcome === suggested)}
          >
            {tryOutcomeLabels[outcome]}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

const quickPicks = [0, 15, 30, 60, 120] as const
const pickText = (minutes: number) => (minutes < 60 ? `${minutes} min` : `${minutes / 60} hr`)

type MinutesProps = { value: number | null; onChange: (minutes: number | null) => void }

function Minutes({ value, onChange }: MinutesProps) {
  const isOther = value !== null && !quickPicks.some((pick) => pick === value)
  const [isTyping, setIsTyping] = useState(isOther)
  const minutesField = useFocusWhenShown()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onChange(Number(new FormData(event.currentTarget).get('minutes')))
  }
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold">
        Time saved per week <span className="font-normal text-muted">(optional)</span>
      </legend>
      <div className="mt-2.5 flex flex-wrap gap-2">
        {quickPicks.map((pick) => (
          <button
            key={pick}
            type="button"
            aria-pressed={value === pick}
            onClick={() => onChange(value === pick ? null : pick)}
            className={clsx(toggle(value === pick), 'tabular-nums')}
          >
            {pickText(pick)}
          </button>
        ))}
        <button
          type="button"
          aria-expanded={isTyping}
          onClick={() => {
            if (!isTyping) minutesField.focusWhenShown()
            setIsTyping(!isTyping)
          }}
          className={clsx(toggle(isOther), 'tabular-nums')}
        >
          {isOther ? `${value} min` : 'Other'}
        </button>
      </div>
      {isTyping && (
        <form onSubmit={handleSubmit} className="mt-2.5 flex flex-wrap items-center gap-2">
          <label className="flex flex-wrap items-center gap-2">
            <input
              ref={minutesField.ref}
              name="minutes"
              type="number"
              inputMode="numeric"
              required
              min={0}
              max={maxMinutesPerWeek}
              step={1}
              defaultValue={value ?? ''}
              className={clsx(inputStyles, 'w-28! tabular-nums')}
            />
            minutes a week
          </label>
          <Button type="submit" variant="secondary">
            Save
          </Button>
        </form>
      )}
    </fieldset>
  )
}

type NoteProps = { answer: TryAnswer; onSave: (note: string, shared: boolean) => void }

function Note({ answer, onSave }: NoteProps) {
  const [isOpen, setIsOpen] = useState(answer.note !== '')
  const [shared, setShared] = useState(answer.shared)
  const [note, setNote] = useState(answer.note)
  const [stored, setStored] = useState(answer.note)
  const noteField = useFocusWhenShown()
  // Saved here or on another device.
  if (stored !== answer.note) {
    setStored(answer.note)
    setNote(answer.note)
    setShared(answer.shared)
    setIsOpen(isOpen || answer.note !== '')
  }
  if (!isOpen) {
    return (
      <div>
        <Button
          variant="secondary"
          size="sm"
          onClick={() => {
            noteField.focusWhenShown()
            setIsOpen(true)
          }}
        >
          Add a private note
        </Button>
      </div>
    )
  }
  const isChanged = note.trim() !== answer.note || shared !== answer.shared
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSave(note.trim(), shared && note.trim() !== '')
  }
  return (
    <form onSubmit={handleSubmit} className="grid gap-2.5">
      <TextAreaField
        label="Private note"
        ref={noteField.ref}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        rows={3}
        maxLength={maxNoteLength}
        placeholder="What did you change? What would you do differently?"
        className="py-2.5"
      />
      <label className="flex min-h-11 items-start gap-3 py-1.5">
        <input
          type="checkbox"
          checked={shared}
          onChange={(event) => setShared(event.target.checked)}
          className="mt-0.5 size-5 shrink-0"
        />
        <span>
          Share this note with the editor
          <span className="block text-sm text-muted">
            The editor sees the note and your answer, not your name. You can take it back anytime.
          </span>
        </span>
      </label>
      <div>
        <Button type="submit" variant="secondary" aria-disabled={!isChanged || undefined}>
          {isChanged ? 'Save note' : answer.note ? 'Note saved' : 'Save note'}
        </Button>
      </div>
    </form>
  )
}
