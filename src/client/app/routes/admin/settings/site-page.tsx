import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type SubmitEvent, useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { MarkdownField } from '#client/features/publishing/documents/markdown-field.tsx'
import { sitePageQuery } from '#client/features/publishing/site-pages/site-pages.api.ts'
import { CallError } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { errorMessage, formErrorMessage } from '#client/lib/error-message.ts'
import { mergeChanges } from '#client/lib/merge-changes.ts'
import { toast } from '#client/lib/toast.ts'
import { useLeaveBlocker } from '#client/lib/use-leave-blocker.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { EditConflict } from '#client/ui/edit-conflict.tsx'
import { FormError, SelectField, TextField } from '#client/ui/form.tsx'
import { LoadError, LoadingPlaceholder, SkeletonText } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { UnsavedChangesDialog } from '#client/ui/unsaved-changes-dialog.tsx'
import { toSlug } from '#shared/contracts/publishing/documents.ts'
import {
  adminDeleteSitePageCall,
  adminSaveSitePageCall,
  type PageAudience,
  type SitePage,
} from '#shared/contracts/publishing/site-pages.ts'
import { portalAddressOf } from '#shared/domain/page-addresses.ts'

const renderMarkdownField = (field: ComponentProps<typeof MarkdownField>) => (
  <MarkdownField {...field} withBlocks={false} />
)

/** One of the publisher's pages; `new` creates one. */
export function Component() {
  const { id = '' } = useParams()
  const [newId] = useState(() => crypto.randomUUID())
  const page = useQuery({ ...sitePageQuery(id), enabled: id !== 'new' })
  const isNew = id === 'new'
  return (
    <>
      <BackLink to="/admin/settings/pages">Pages</BackLink>
      <PageHeading title={isNew ? 'New page' : (page.data?.title ?? 'Page')} className="mb-8" />
      {!isNew && page.isLoadingError && <LoadError what="this page" query={page} />}
      {!isNew && page.isPending && (
        <LoadingPlaceholder>
          <SkeletonText lines={6} height="h-11" className="max-w-2xl" />
        </LoadingPlaceholder>
      )}
      {(isNew || page.data) && (
        <SitePageEditor
          key={isNew || id === newId ? newId : id}
          id={isNew ? newId : id}
          page={page.data ?? null}
          renderMarkdownField={renderMarkdownField}
        />
      )}
    </>
  )
}

/** Mistakes by field. */
function problemsOf(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof CallError) || error.code !== 'validation_failed') return {}
  return (error.body as { problems?: Record<string, string> }).problems ?? {}
}

/** The newer page, if someone else saved it meanwhile. */
function conflictOf(error: Error | null): SitePage | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return (error.body as { current?: SitePage }).current ?? null
}

type Fields = Pick<SitePage, 'title' | 'path' | 'body' | 'audience' | 'isPublished'>

type SitePageEditorProps = {
  id: string
  /** Null for a new page. */
  page: SitePage | null
  renderMarkdownField: RenderMarkdownField
}

const emptyPage: Fields = { title: '', path: '', body: '', audience: 'everyone', isPublished: false }
const fieldsOf = ({ title, path, body, audience, isPublished }: Fields): Fields => ({
  title,
  path,
  body,
  audience,
  isPublished,
})

const labels: Record<keyof Fields, string> = {
  title: 'Title',
  path: 'Address',
  body: 'Text',
  audience: 'Who can read it',
  isPublished: 'State',
}
const audienceNames: Record<PageAudience, string> = { everyone: 'Everyone', members: 'Members' }

const describe = (name: keyof Fields, { [name]: value }: Fields): string | null =>
  name === 'body' ? null : typeof value === 'boolean' ? (value ? 'Published' : 'Draft') : value

/** A form for a page that the publisher adds. */
function SitePageEditor({ id, page, renderMarkdownField }: SitePageEditorProps) {
  const navigate = useNavigate()
  const save = useChange(adminSaveSitePageCall, { stores: sitePageQuery(id), done: 'Page saved' })
  const remove = useChange(adminDeleteSitePageCall)
  const [base, setBase] = useState({ version: page?.version ?? 0, fields: page ? fieldsOf(page) : emptyPage })
  const [fields, setFields] = useState(base.fields)
  const change = (part: Partial<Fields>) => setFields((before) => ({ ...before, ...part }))
  const isChanged = JSON.stringify(fields) !== JSON.stringify(base.fields)
  const problems = problemsOf(save.error)
  const theirs = conflictOf(save.error)
  const merged = theirs && mergeChanges(base.fields, fields, fieldsOf(theirs))
  const isNew = base.version === 0
  const isUnsaved = isChanged && !remove.isSuccess
  const blocker = useLeaveBlocker(isUnsaved)
  const isCreated = page === null && !isNew
  // After rendering, so that leaving isn't blocked by changes that were saved.
  useEffect(() => {
    if (remove.isSuccess) void navigate('/admin/settings/pages')
    else if (isCreated) void navigate(`/admin/settings/pages/${id}`, { replace: true })
  }, [remove.isSuccess, isCreated, id, navigate])

  const submit = (values: Fields, version: number) => {
    const path = values.path || toSlug(values.title)
    save.mutate(
      { id, version, ...values, path },
      {
        onSuccess: (saved) => {
          setBase({ version: saved.version, fields: fieldsOf(saved) })
          setFields(fieldsOf(saved))
        },
      },
    )
  }
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!save.isPending && !theirs) submit(fields, base.version)
  }
  const handleDiscard = () => {
    if (!theirs) return
    setBase({ version: theirs.version, fields: fieldsOf(theirs) })
    setFields(fieldsOf(theirs))
    save.reset()
  }
  const handleDelete = () =>
    remove.mutate(
      { id },
      {
        onError: (error) => toast.error('The page wasn’t deleted', { description: errorMessage(error) }),
      },
    )

  const shownAt = `/${fields.path || toSlug(fields.title) || 'address'}`
  return (
    <form onSubmit={handleSubmit} noValidate className="grid gap-6">
      <TextField
        label={labels.title}
        value={fields.title}
        maxLength={120}
        dir="auto"
        autoFocus={isNew}
        error={problems.title}
        onChange={({ target }) => change({ title: target.value })}
        fieldClassName="max-w-2xl"
      />
      <TextField
        label={labels.path}
        value={fields.path}
        maxLength={100}
        placeholder={toSlug(fields.title)}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        error={problems.path}
        hint={`The page is shown at ${shownAt}.`}
        onChange={({ target }) => change({ path: target.value })}
        fieldClassName="max-w-2xl"
      />
      <div className="flex flex-wrap gap-x-6 gap-y-5">
        <SelectField
          label={labels.audience}
          hint={fields.audience === 'members' ? 'Visitors are asked to sign in.' : undefined}
          value={fields.audience}
          onChange={({ target }) => change({ audience: target.value as PageAudience })}
          options={audienceNames}
        />
        <SelectField
          label={labels.isPublished}
          hint={fields.isPublished ? undefined : 'No one can read a draft, and links to it aren’t shown.'}
          value={String(fields.isPublished)}
          onChange={({ target }) => change({ isPublished: target.value === 'true' })}
        >
          <option value="false">Draft</option>
          <option value="true">Published</option>
        </SelectField>
      </div>
      {renderMarkdownField({
        path: 'body',
        label: labels.body,
        hint: undefined,
        error: problems.body,
        rows: 18,
        value: fields.body,
        onChange: (body) => change({ body }),
      })}
      {theirs && merged && (
        <EditConflict
          overlap={merged.overlap.map((name) => ({ label: labels[name], theirs: describe(name, fieldsOf(theirs)) }))}
          isPending={save.isPending}
          onSave={() => submit(merged.merged, theirs.version)}
          onDiscard={handleDiscard}
        />
      )}
      <FormError>{theirs || Object.keys(problems).length > 0 ? undefined : formErrorMessage(save.error)}</FormError>
      <div className="sticky bottom-(--bottom-bar) z-10 flex flex-wrap items-center gap-3 border-t border-line bg-background py-3">
        <Button type="submit" pending={save.isPending} disabled={!isChanged || theirs !== null}>
          Save page
        </Button>
        {page?.isPublished && (
          <a
            href={page.audience === 'members' ? portalAddressOf(page.path) : `/${page.path}`}
            className="text-link px-2 py-2.5"
          >
            View page
          </a>
        )}
        {!isNew && (
          <ConfirmButton
            label="Delete page"
            variant="quiet"
            pending={remove.isPending}
            title="Delete this page?"
            action="Delete page"
            onConfirm={handleDelete}
          >
            Its address stops working, and links to it are no longer shown. You can’t undo this.
          </ConfirmButton>
        )}
      </div>
      {blocker.state === 'blocked' && (
        <UnsavedChangesDialog onLeave={() => blocker.proceed()} onStay={() => blocker.reset()}>
          Your changes to this page aren’t saved. If you leave now, you’ll lose them.
        </UnsavedChangesDialog>
      )}
    </form>
  )
}
