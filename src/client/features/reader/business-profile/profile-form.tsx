import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { useLeaveBlocker } from '#client/lib/use-leave-blocker.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { Disclosure, Section } from '#client/ui/page-parts.tsx'
import { UnsavedChangesDialog } from '#client/ui/unsaved-changes-dialog.tsx'
import {
  changesBetweenValues,
  cleanText,
  type ProfileVariable,
  profileGroups,
  profileVariables,
  type Values,
} from '#shared/domain/business-profile.ts'
import { useSaveProfile } from './business-profile.api.ts'
import { conflictOf, conflictText } from './conflicts.ts'
import { ValueField } from './value-field.tsx'

const countFilled = (names: readonly ProfileVariable[], values: Values) => names.filter((name) => values[name]).length

/** Edits the profile. Only changed fields are sent, so that another tab's changes stay. */
export function ProfileForm({ saved }: { saved: Values<ProfileVariable> }) {
  const [base, setBase] = useState(saved)
  const [values, setValues] = useState(saved)
  const [conflicts, setConflicts] = useState<readonly string[]>([])
  const save = useSaveProfile()
  const changes = changesBetweenValues(profileVariables, base, values)
  const isChanged = Object.keys(changes).length > 0
  const blocker = useLeaveBlocker(isChanged)

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending || !isChanged) return
    const sent = values
    save.mutate(
      { changes },
      {
        onSuccess: (answer) => {
          setBase(answer.values)
          // Text typed meanwhile stays.
          setValues((current) => (current === sent ? answer.values : current))
          setConflicts([])
          toast.success('Your profile was saved', { id: 'business-profile' })
        },
        onError: (error) => {
          const conflict = conflictOf(error)
          if (!conflict) return
          // Fields that were changed only elsewhere follow; the reader's own stay for another save.
          setValues((current) => ({ ...conflict.values, ...pick(current, Object.keys(changes)) }))
          setBase(conflict.values)
          setConflicts(conflict.conflicts)
        },
      },
    )
  }

  return (
    <Section
      title="Your business"
      status={`${countFilled(profileVariables, base)} of ${profileVariables.length} filled in`}
      lede="Prompts use these details to fill in their blanks. Only you can see them. They leave this site only in text that you copy or open in an AI tool."
    >
      <form onSubmit={handleSubmit} className="max-w-xl">
        {profileGroups.map(({ title, names }, index) => (
          <Group
            key={title}
            title={title}
            status={`${countFilled(names, values)} of ${names.length}`}
            defaultOpen={index === 0}
          >
            {names.map((name) => (
              <ValueField
                key={name}
                name={name}
                value={values[name] ?? ''}
                error={conflicts.includes(name) ? conflictText(base[name]) : undefined}
                onChange={(value) => setValues({ ...values, [name]: cleanText(value, name) })}
              />
            ))}
          </Group>
        ))}
        <div className="sticky bottom-(--bottom-bar) z-10 grid gap-3 border-t border-line-strong bg-background py-4">
          <FormError>{conflicts.length === 0 ? formErrorMessage(save.error) : null}</FormError>
          <p role="status" className="text-sm font-medium text-danger empty:hidden">
            {conflicts.length > 0 &&
              'Some of this was changed on another device or in another tab. Check it and save again.'}
          </p>
          <div>
            <Button type="submit" pending={save.isPending} disabled={!isChanged}>
              Save profile
            </Button>
          </div>
        </div>
      </form>
      {blocker.state === 'blocked' && (
        <UnsavedChangesDialog onLeave={() => blocker.proceed()} onStay={() => blocker.reset()}>
          Some of your changes aren’t saved yet.
        </UnsavedChangesDialog>
      )}
    </Section>
  )
}

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? '']))

type GroupProps = { title: string; status: string; defaultOpen: boolean; children: React.ReactNode }

function Group({ title, status, defaultOpen, children }: GroupProps) {
  return (
    <Disclosure
      defaultOpen={defaultOpen}
      className="border-t border-line"
      summary={
        <span className="flex grow items-baseline justify-between gap-4 py-3">
          {title}
          <span className="text-sm font-normal text-muted tabular-nums">{status}</span>
        </span>
      }
    >
      <div className="grid gap-5 pt-1 pb-6">{children}</div>
    </Disclosure>
  )
}
