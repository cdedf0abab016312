import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { CallError } from '#client/lib/calls.ts'
import { submitHandler } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useLeaveBlocker } from '#client/lib/use-leave-blocker.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form.tsx'
import { LoadError, QueryPlaceholder } from '#client/ui/loading.tsx'
import { Disclosure, Section } from '#client/ui/page-parts.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { UnsavedChangesDialog } from '#client/ui/unsaved-changes-dialog.tsx'
import type {
  SettingField,
  SettingGroup,
  SettingsPage,
  SettingValues,
  SettingVersion,
} from '#shared/contracts/publishing/site-settings.ts'
import { type Clash, mergeSettings } from './merge-settings.ts'
import { type RenderLinksField, SettingInput } from './setting-input.tsx'
import { SettingsPreview } from './settings-preview.tsx'
import { conflictOf, olderVersionsQuery, settingsQuery, useSaveSettings } from './site-settings.api.ts'

/** Mistakes by setting. */
function problemsOf(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof CallError) || error.code !== 'validation_failed') return {}
  return (error.body as { problems?: Record<string, string> }).problems ?? {}
}

type SettingsEditorProps = {
  group: SettingGroup
  /** Fields of one email or page. Default: all. */
  isShown?: (field: SettingField) => boolean
  /** The part that the preview shows, such as the key of an email. */
  shown: string
  /** Above the fields. `values` are unsaved. */
  children?: (
    fields: readonly SettingField[],
    values: SettingValues,
    change: (field: SettingField, text: string) => void,
  ) => ReactNode
  /** The editor of Markdown texts. Default: a plain text area. */
  renderMarkdownField?: RenderMarkdownField
  /** The editor of lists of links. Default: a plain text area. */
  renderLinksField?: RenderLinksField
  /** Default: true. */
  hasPreview?: boolean
  /** Below the form. */
  after?: ReactNode
}

/** A form for a group of settings, with preview and history. */
export function SettingsEditor(props: SettingsEditorProps) {
  const settings = useQuery(settingsQuery(props.group))
  if (settings.data) return <Editor {...props} page={settings.data} />
  return <QueryPlaceholder query={settings} what="the settings" lines={8} height="h-11" className="max-w-xl" />
}

const isDifferent = (one: SettingValues, other: SettingValues) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => one[name] !== other[name])

/** The fields that texts of the section may have. */
function describeFields(fields: readonly SettingField[]): string | undefined {
  const names = [...new Set(fields.flatMap((field) => field.fields))]
  return names.length > 0 ? `You can use ${names.map((name) => `{${name}}`).join(', ')}.` : undefined
}

function Editor({
  group,
  isShown = () => true,
  shown,
  children,
  after,
  renderMarkdownField,
  renderLinksField,
  hasPreview = true,
  page,
}: SettingsEditorProps & { page: SettingsPage }) {
  const [base, setBase] = useState({ version: page.version, values: page.values })
  const [values, setValues] = useState(page.values)
  const [isPreviewed, setIsPreviewed] = useState(false)
  const save = useSaveSettings(group)
  const changed = isDifferent(base.values, values)
  const blocker = useLeaveBlocker(changed.length > 0)
  const problems = problemsOf(save.error)
  const theirs = conflictOf(save.error)
  const merged = theirs && mergeSettings(base.values, values, theirs.values)
  // Someone else saved meanwhile, and the form has no changes of its own.
  if (page.version > base.version && changed.length === 0) {
    setBase({ version: page.version, values: page.values })
    setValues(page.values)
  }

  const change = (field: SettingField, text: string | undefined) => {
    const { [field.name]: _former, ...others } = values
    setValues(text === undefined || text === field.default ? others : { ...others, [field.name]: text })
  }
  const handleSubmit = submitHandler(save, () => {
    if (changed.length === 0) return
    save.mutate(
      { version: base.version, values },
      {
        onSuccess: (saved) => {
          setBase({ version: saved.version, values: saved.values })
          setValues(saved.values)
        },
      },
    )
  })
  const continueWith = (mine: SettingValues) => {
    if (!theirs || !merged) return
    setBase(theirs)
    setValues({ ...merged.values, ...mine })
    save.reset()
  }

  const sections = Map.groupBy(page.fields.filter(isShown), ({ section }) => section)
  const hidden = page.fields.filter((field) => !isShown(field))
  const elsewhere = hidden
    .filter(({ name }) => problems[name])
    .map((field) => `${field.section}: ${problems[field.name]}`)
  return (
    <>
      <form onSubmit={handleSubmit} noValidate>
        {children?.(page.fields, values, change)}
        {[...sections].map(([title, fields]) => (
          <Section key={title} title={title} lede={describeFields(fields)}>
            <div className="grid max-w-2xl gap-5">
              {fields.map((field) => (
                <SettingInput
                  key={field.name}
                  field={field}
                  value={values[field.name]}
                  error={problems[field.name]}
                  onChange={(text) => change(field, text)}
                  renderMarkdownField={renderMarkdownField}
                  renderLinksField={renderLinksField}
                />
              ))}
            </div>
          </Section>
        ))}
        {merged && <SettingsConflict fields={page.fields} clashes={merged.clashes} onContinue={continueWith} />}
        {!theirs && (
          <FormError>
            {elsewhere.length > 0
              ? elsewhere.join(' ')
              : Object.keys(problems).length > 0
                ? 'Some settings need a fix. They’re marked above.'
                : formErrorMessage(save.error)}
          </FormError>
        )}
        <div className="sticky bottom-(--bottom-bar) z-10 mt-6 flex flex-wrap items-center gap-3 border-t border-line bg-background py-3">
          <Button type="submit" pending={save.isPending} disabled={changed.length === 0 || theirs !== null}>
            Save settings
          </Button>
          {hasPreview && (
            <Button variant="secondary" aria-expanded={isPreviewed} onClick={() => setIsPreviewed(!isPreviewed)}>
              {isPreviewed ? 'Hide preview' : 'Preview'}
            </Button>
          )}
          {changed.length > 0 && (
            <Button
              variant="quiet"
              onClick={() => {
                setValues(base.values)
                save.reset()
              }}
            >
              Discard changes
            </Button>
          )}
          <p role="status" className="text-sm text-muted tabular-nums empty:hidden max-sm:basis-full">
            {changed.length > 0 && `${changed.length} unsaved ${changed.length === 1 ? 'change' : 'changes'}`}
          </p>
        </div>
      </form>
      {isPreviewed && <SettingsPreview group={group} values={values} shown={shown} />}
      {after}
      <SettingsHistory group={group} page={page} onRestore={setValues} />
      {blocker.state === 'blocked' && (
        <UnsavedChangesDialog onLeave={() => blocker.proceed()} onStay={() => blocker.reset()}>
          Your changes to the settings aren’t saved. If you leave now, you’ll lose them.
        </UnsavedChangesDialog>
      )}
    </>
  )
}

type SettingsConflictProps = {
  fields: readonly SettingField[]
  clashes: readonly Clash[]
  /** Settings to take from the form instead of what the other person saved. */
  onContinue: (mine: SettingValues) => void
}

/** Someone else saved the settings meanwhile: both texts of each setting that both changed. */
function SettingsConflict({ fields, clashes, onContinue }: SettingsConflictProps) {
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

type SettingsHistoryProps = {
  group: SettingGroup
  page: SettingsPage
  /** Puts the version's values into the form. */
  onRestore: (values: SettingVersion['values']) => void
}

/** Saved versions, newest first, with what each one changed. */
function SettingsHistory({ group, page, onRestore }: SettingsHistoryProps) {
  const oldest = page.history.at(-1)?.version ?? 1
  const older = useInfiniteQuery(olderVersionsQuery(group, oldest))
  const versions = [...page.history, ...(older.data?.pages.flatMap(({ history }) => history) ?? [])]
  const hasOlder = older.data ? older.hasNextPage : page.hasOlder
  const fields = new Map(page.fields.map((field) => [field.name, field]))
  const showOlder = () => void (older.data ? older.fetchNextPage() : older.refetch())
  if (versions.length === 0) {
    return <Section title="History" lede="Nothing has been changed yet. All texts are the defaults." />
  }
  return (
    <Section title="History" lede="Restoring a version puts it into the form. It takes effect when you save.">
      <ol className="divide-y divide-line border-y border-line">
        {versions.map((version, index) => (
          <li key={version.version} className="py-1">
            <Disclosure
              summary={
                <span className="flex min-w-0 flex-wrap gap-x-3">
                  <Timestamp at={version.savedAt} />
                  <span className="min-w-0 font-normal text-muted [overflow-wrap:anywhere]">
                    {version.savedBy ?? 'Unknown'}
                  </span>
                  {index === 0 && <span className="font-normal text-muted">Current</span>}
                </span>
              }
            >
              <dl className="mb-3 grid gap-3">
                {version.changes.map((change) => (
                  <Change key={change.field} change={change} field={fields.get(change.field)} />
                ))}
              </dl>
              {index > 0 && (
                <Button variant="secondary" size="sm" className="mb-3" onClick={() => onRestore(version.values)}>
                  Restore this version
                </Button>
              )}
            </Disclosure>
          </li>
        ))}
      </ol>
      {older.isError && <LoadError what="older versions" query={older} />}
      <div className="mt-4 flex flex-wrap gap-3">
        {hasOlder && (
          <Button variant="secondary" size="sm" pending={older.isFetching} onClick={showOlder}>
            Show older versions
          </Button>
        )}
        <Button variant="quiet" size="sm" onClick={() => onRestore({})}>
          Restore all defaults
        </Button>
      </div>
    </Section>
  )
}

type ChangeProps = { change: SettingVersion['changes'][number]; field: SettingField | undefined }

function Change({ change, field }: ChangeProps) {
  const textOf = (value: string | null) => value ?? field?.default ?? ''
  return (
    <div>
      <dt className="text-sm font-semibold">
        {field ? `${field.section}: ${field.label}` : change.field}
        {change.after === null && <span className="font-normal text-muted"> (back to the default)</span>}
      </dt>
      <dd className="mt-1 grid gap-1 text-sm [overflow-wrap:anywhere]">
        <del dir="auto" className="text-muted">
          <SettingText field={field} text={textOf(change.before)} />
        </del>
        <ins dir="auto" className="no-underline">
          <SettingText field={field} text={textOf(change.after)} />
        </ins>
      </dd>
    </div>
  )
}

type SettingTextProps = { field: SettingField | undefined; text: string }

/** A setting to read and compare: an uploaded image as the image, anything else as its text. */
function SettingText({ field, text }: SettingTextProps) {
  if (!text) return <span>(empty)</span>
  if (field?.kind === 'logo' || field?.kind === 'icon' || field?.kind === 'picture') {
    return (
      <img
        src={text.split(' ')[0]}
        alt={`The ${field.kind}`}
        className="my-1 inline-block max-h-12 max-w-48 align-middle"
      />
    )
  }
  return (
    <span dir="auto" className="whitespace-pre-wrap">
      {field?.options?.find(({ value }) => value === text)?.label ?? text}
    </span>
  )
}
