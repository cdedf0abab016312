import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { alwaysStaleQuery, CallError } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { mergeChanges, mergeLists } from '#client/lib/merge-changes.ts'
import { ownWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { EditConflict } from '#client/ui/edit-conflict.tsx'
import { FormError, TextAreaField, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import {
  adminTrustPagesCall,
  type Correction,
  type TrustSettings,
  type TrustSettingsPage,
  trustSettingsSchema,
  type VersionedTrustSettings,
} from '#shared/contracts/publishing/trust-settings.ts'

/** The newer settings, if someone else saved them meanwhile. */
function conflictOf(error: Error | null): VersionedTrustSettings | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return (error.body as { current?: VersionedTrustSettings }).current ?? null
}

const trustSettingsQuery = alwaysStaleQuery(['admin-trust-pages'], adminTrustPagesCall, {})

type TrustPagesFormProps = {
  renderMarkdownField: RenderMarkdownField
}

/** Settings of the editor's page and the corrections page. */
export function TrustPagesForm({ renderMarkdownField }: TrustPagesFormProps) {
  const settings = useQuery(trustSettingsQuery)
  return (
    <section aria-labelledby="trust-pages" className="mt-12 border-t border-ink pt-8">
      <h2 id="trust-pages" className="display mb-6 text-2xl">
        Trust pages
      </h2>
      {settings.data ? (
        <Fields settings={settings.data} renderMarkdownField={renderMarkdownField} />
      ) : (
        <QueryPlaceholder query={settings} what="the trust pages" lines={6} height="h-11" className="max-w-xl" />
      )}
    </section>
  )
}

type Row = Correction & { key: string }

const rowOf = (correction: Correction): Row => ({ ...correction, key: crypto.randomUUID() })
const emptyRow = (): Row => rowOf({ date: new Date().toISOString().slice(0, 10), where: '', path: '', change: '' })

const labels: Record<keyof TrustSettings, string> = {
  editorName: 'Name',
  editorBio: 'About the editor',
  contactEmail: 'Contact address',
  corrections: 'Corrections',
}

/** Corrections of both are kept, so they never overlap. */
function mergeTrustSettings(base: TrustSettings, mine: TrustSettings, theirs: TrustSettings) {
  const corrections = mergeLists(base.corrections, mine.corrections, theirs.corrections)
  return mergeChanges({ ...base, corrections }, { ...mine, corrections }, { ...theirs, corrections })
}

type FieldsProps = TrustPagesFormProps & { settings: TrustSettingsPage }

function Fields({ settings: initial, renderMarkdownField }: FieldsProps) {
  /** Values that the fields started with. Filled again when `round` changes. */
  const [{ settings, round }, setFilled] = useState({ settings: initial, round: 0 })
  const save = useChange(adminTrustPagesCall, { stores: trustSettingsQuery, done: 'Trust pages saved' })
  const [editorBio, setEditorBio] = useState(settings.editorBio)
  const [rows, setRows] = useState(() => settings.corrections.map(rowOf))
  const theirs = conflictOf(save.error)
  const { version: _version, replyAddress: _address, ...base } = settings
  const mine = save.variables?.save
  const merged = theirs && mine && mergeTrustSettings(base, mine, theirs)
  const fillWith = (values: VersionedTrustSettings) => {
    setFilled({ settings: { ...settings, ...values }, round: round + 1 })
    setEditorBio(values.editorBio)
    setRows(values.corrections.map(rowOf))
    save.reset()
  }
  /** By path, such as "corrections.0.where". */
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})

  const handleSubmit = submitHandler(save, (text) => {
    const parsed = trustSettingsSchema.safeParse({
      editorName: text('editorName'),
      editorBio: editorBio.trim(),
      contactEmail: text('contactEmail'),
      corrections: rows.map(({ key: _key, ...correction }) => correction),
    })
    setErrors(Object.fromEntries(parsed.error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []))
    if (!parsed.success) return
    save.mutate(
      { save: parsed.data, version: settings.version },
      { onSuccess: (saved) => setFilled({ settings: saved, round }) },
    )
  })
  const change = (key: string, fields: Partial<Correction>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...fields } : row)))

  return (
    <form key={round} onSubmit={handleSubmit} noValidate>
      <Section
        title="Editor"
        lede={
          <>
            Shown on{' '}
            <Link to="/portal/editor" className="text-link">
              the editor’s page
            </Link>
            . Leave the name empty and the page says that no editor is named.
          </>
        }
      >
        <div className="grid max-w-xl gap-5">
          <TextField label="Name" name="editorName" maxLength={100} defaultValue={settings.editorName} />
          {renderMarkdownField({
            ...{ path: 'editorBio', label: 'About the editor', hint: 'Markdown.', error: errors.editorBio },
            ...{ rows: 5, value: editorBio, onChange: setEditorBio },
          })}
          <TextField
            label="Contact address"
            name="contactEmail"
            type="email"
            autoComplete="off"
            placeholder={settings.replyAddress}
            hint={`Readers write here. Leave it empty to use ${settings.replyAddress}.`}
            error={errors.contactEmail}
            defaultValue={settings.contactEmail}
          />
        </div>
      </Section>
      <Section
        title="Corrections"
        lede={
          <>
            Shown on{' '}
            <Link to="/portal/corrections" className="text-link">
              the corrections page
            </Link>
            , newest first.
          </>
        }
      >
        <Button variant="secondary" onClick={() => setRows([emptyRow(), ...rows])}>
          <Plus aria-hidden className="size-5" strokeWidth={1.75} />
          Add correction
        </Button>
        <ol className="mt-4 max-w-xl empty:hidden">
          {rows.map((row, index) => (
            <li key={row.key} className="grid gap-4 border-t border-line py-5 sm:grid-cols-[10rem_minmax(0,1fr)]">
              <TextField
                label="Date"
                type="date"
                value={row.date}
                error={errors[`corrections.${index}.date`]}
                onChange={(event) => change(row.key, { date: event.currentTarget.value })}
              />
              <TextField
                label="Where"
                hint={ownWords`Title of the drop, prompt, guide or tool.`}
                maxLength={200}
                value={row.where}
                error={errors[`corrections.${index}.where`]}
                onChange={(event) => change(row.key, { where: event.currentTarget.value })}
              />
              <TextField
                fieldClassName="sm:col-span-2"
                label="Link (optional)"
                placeholder="/portal/guides#ai-use-policy"
                value={row.path}
                error={errors[`corrections.${index}.path`]}
                onChange={(event) => change(row.key, { path: event.currentTarget.value })}
              />
              <TextAreaField
                fieldClassName="sm:col-span-2"
                label="What changed"
                hint="What was wrong, and what it says now."
                error={errors[`corrections.${index}.change`]}
                rows={3}
                maxLength={1000}
                className="py-2.5"
                value={row.change}
                onChange={(event) => change(row.key, { change: event.currentTarget.value })}
              />
              <div className="sm:col-span-2">
                <Button
                  variant="quiet"
                  size="sm"
                  className="-ml-3"
                  aria-label={`Remove correction: ${row.where || 'untitled'}`}
                  onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ol>
      </Section>
      {theirs && merged ? (
        <EditConflict
          overlap={merged.overlap.map((name) => ({ label: labels[name], theirs: String(theirs[name]) }))}
          isPending={save.isPending}
          onSave={() => save.mutate({ save: merged.merged, version: theirs.version }, { onSuccess: fillWith })}
          onDiscard={() => fillWith(theirs)}
        />
      ) : (
        <FormError>{formErrorMessage(save.error)}</FormError>
      )}
      <Button type="submit" className="mt-4" pending={save.isPending} disabled={theirs !== null}>
        Save trust pages
      </Button>
    </form>
  )
}
