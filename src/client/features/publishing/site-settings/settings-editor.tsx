import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { CallError } from '#client/lib/invoke.ts'
import { useLeaveBlocker } from '#client/lib/use-leave-blocker.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { Section } from '#client/ui/section.tsx'
import { UnsavedChangesDialog } from '#client/ui/unsaved-changes-dialog.tsx'
import type {
  SettingField,
  SettingGroup,
  SettingsPage,
  SettingValues,
} from '#shared/contracts/publishing/site-settings.ts'
import { mergeSettings } from './merge-settings.ts'
import { type RenderLinksField, SettingInput } from './setting-input.tsx'
import { SettingsConflict } from './settings-conflict.tsx'
import { SettingsHistory } from './settings-history.tsx'
import { SettingsPreview } from './settings-preview.tsx'
import { conflictOf, settingsQuery, useSaveSettings } from './site-settings.api.ts'

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
  children?: (fields: readonly SettingField[], values: SettingValues) => ReactNode
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
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending || changed.length === 0) return
    save.mutate(
      { version: base.version, values },
      {
        onSuccess: (saved) => {
          setBase({ version: saved.version, values: saved.values })
          setValues(saved.values)
        },
      },
    )
  }
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
        {children?.(page.fields, values)}
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
