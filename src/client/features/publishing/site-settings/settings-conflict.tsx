import { useId, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import type { SettingField, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import type { Clash } from './merge-settings.ts'
import { SettingText } from './setting-text.tsx'

type SettingsConflictProps = {
  fields: readonly SettingField[]
  clashes: readonly Clash[]
  /** Settings to take from the form instead of what the other person saved. */
  onContinue: (mine: SettingValues) => void
}

/** Someone else saved the settings meanwhile: both texts of each setting that both changed. */
export function SettingsConflict({ fields, clashes, onContinue }: SettingsConflictProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const id = useId()
  const choose = (name: string, isMine: boolean) => {
    const next = new Set(chosen)
    if (isMine) next.add(name)
    else next.delete(name)
    setChosen(next)
  }
  const mine = () =>
    Object.fromEntries(
      clashes
        .filter(({ name }) => chosen.has(name))
        .map(({ name, mine: text }) => [name, text ?? fields.find((field) => field.name === name)?.default ?? '']),
    )
  return (
    <section aria-labelledby={id} className="my-6 border-l-3 border-danger bg-danger-soft px-5 py-4">
      <h3 id={id} className="font-semibold">
        Someone else saved these settings while you were editing
      </h3>
      <p className="mt-1">
        {clashes.length === 0
          ? 'You changed different settings. Continue to keep both changes, then save again.'
          : 'Both of you changed the settings below. Choose a text for each, then save again.'}
      </p>
      {clashes.map((clash) => {
        const field = fields.find(({ name }) => name === clash.name)
        const textOf = (value: string | undefined) => value ?? field?.default ?? ''
        return (
          <fieldset key={clash.name} className="mt-4 grid gap-2">
            <legend className="text-sm font-semibold">{field?.label ?? clash.name}</legend>
            {([false, true] as const).map((isMine) => (
              <label key={String(isMine)} className="flex min-h-11 items-start gap-3 sm:min-h-9">
                <input
                  type="radio"
                  name={`${id}-${clash.name}`}
                  className="mt-0.5 size-5 shrink-0"
                  checked={chosen.has(clash.name) === isMine}
                  onChange={() => choose(clash.name, isMine)}
                />
                <span className="[overflow-wrap:anywhere]">
                  <span className="text-sm text-muted">{isMine ? 'Yours: ' : 'Saved meanwhile: '}</span>
                  <SettingText field={field} text={textOf(isMine ? clash.mine : clash.theirs)} />
                </span>
              </label>
            ))}
          </fieldset>
        )
      })}
      <Button variant="secondary" className="mt-4" onClick={() => onContinue(mine())}>
        Continue
      </Button>
    </section>
  )
}
