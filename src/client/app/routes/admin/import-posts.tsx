import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { fieldQuery, invoke, upload } from '#client/lib/calls.ts'
import { useInvalidate } from '#client/lib/changes.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { FileButton } from '#client/ui/file-button.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { LoadError, LoadingPlaceholder, Skeleton } from '#client/ui/loading.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import {
  adminCancelPostImportCall,
  adminPostImportItemsCall,
  adminPostImportReportCall,
  adminPostImportsCall,
  adminStartPostImportCall,
  adminUploadPostsCall,
  type PostImport,
  type PostImportItem,
  postFileLimitBytes,
} from '#shared/contracts/operations/post-imports.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Import posts" />
      <PostImportPage />
    </>
  )
}

const usePostImportReport = () =>
  useMutation({
    mutationFn: ({ id }: PostImport) => invoke(adminPostImportReportCall, { id }),
    onSuccess: ({ csv }) => saveFile('posts-notes.csv', csv, 'text/csv'),
  })

/** Part of the key: the status, so that the list is read again when the import has ended. */
const postImportItemsQuery = ({ id, status }: Pick<PostImport, 'id' | 'status'>) =>
  infiniteQueryOptions({
    queryKey: ['admin-post-import-items', id, status],
    queryFn: ({ pageParam, signal }) => invoke(adminPostImportItemsCall, { id, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })

const sourceNames = {
  ...{ ghost: 'Ghost', substack: 'Substack', markdown: 'Markdown' },
  ...{ wordpress: 'WordPress', beehiiv: 'beehiiv', buttondown: 'Buttondown' },
} as const

/** Upload, dry run, and import of posts from another publication. */
function PostImportPage() {
  const query = useQuery(postImportsQuery)
  if (query.isPending) {
    return (
      <LoadingPlaceholder>
        <Skeleton className="mt-8 h-40" />
      </LoadingPlaceholder>
    )
  }
  if (query.isError) return <LoadError what="the imports" query={query} />
  const [latest] = query.data
  const isOpen = latest !== undefined && (isRunning(latest) || latest.status === 'checked')
  return (
    <div className="pt-8">
      <h2 className="sr-only">Posts</h2>
      {!isOpen && <UploadSection />}
      {latest && <ImportSection key={latest.id} postImport={latest} />}
    </div>
  )
}

function UploadSection() {
  const upload = useUploadPosts()
  const [tooLarge, setTooLarge] = useState(false)
  const handleFile = (file: File) => {
    setTooLarge(file.size > postFileLimitBytes)
    if (file.size <= postFileLimitBytes) upload.mutate(file)
  }
  const error = tooLarge ? 'This file is larger than 512 MB. Split it, or leave out the images.' : null
  return (
    <Section
      title="Bring your posts"
      lede="First we check the file and show what each post loses or changes. Nothing is imported until you say so."
    >
      <ul className="grid max-w-[60ch] list-disc gap-1 pl-5 text-muted">
        <li>Ghost: Settings, then Import/Export. The JSON file, or a zip file with it and the images.</li>
        <li>Substack: Settings, then Exports. The zip file as it is.</li>
        <li>WordPress: Tools, then Export. The XML file, or the zip file from WordPress.com.</li>
        <li>beehiiv: Settings, then Export data. The CSV file with posts.</li>
        <li>Buttondown: Settings, then Exports. The zip file with emails.</li>
        <li>Markdown: one file with front matter, or a zip file of them with their images.</li>
      </ul>
      <p className="mt-4">
        <Link to="/admin/content/import/guide" className="text-link">
          What to export where, for members and posts
        </Link>
      </p>
      <div className="mt-6">
        <FileButton
          label="Choose file"
          inputLabel="File with posts"
          variant="primary"
          accept=".zip,.json,.xml,.csv,.md,.markdown"
          pending={upload.isPending}
          onFile={handleFile}
        />
        <p className="mt-2 text-sm text-muted">Up to {postFileLimitBytes / 2 ** 20} MB and 10,000 posts.</p>
      </div>
      {(error || upload.isError) && (
        <div className="mt-4">
          <FormError>{error ?? errorMessage(upload.error)}</FormError>
        </div>
      )}
    </Section>
  )
}

function ImportSection({ postImport: given }: { postImport: PostImport }) {
  const { fileName, source, status, counts, problem, total, done } = given
  const report = usePostImportReport()
  return (
    <Section
      title={fileName}
      status={source ? `${sourceNames[source]} · ${total} ${total === 1 ? 'post' : 'posts'}` : undefined}
      lede={statusText(given)}
    >
      {isRunning(given) && (
        <div className="flex flex-wrap items-center gap-4">
          <progress
            className="h-2 w-full max-w-80 accent-primary"
            aria-label="Progress of the import"
            {...(total > 0 && { value: done, max: total })}
          />
          <CancelButton id={given.id}>Cancel</CancelButton>
        </div>
      )}
      {problem && <FormError>{problem}</FormError>}
      {(status === 'checked' || status === 'canceled') && counts.new + counts.failed > 0 && (
        <StartForm postImport={given} />
      )}
      {!isRunning(given) && total > 0 && (
        <>
          <div className="mt-8 flex flex-wrap items-baseline justify-between gap-4">
            <h4 className="font-semibold">Posts</h4>
            <Button variant="quiet" size="sm" pending={report.isPending} onClick={() => report.mutate(given)}>
              Download notes (CSV)
            </Button>
          </div>
          <ItemTable postImport={given} />
        </>
      )}
    </Section>
  )
}

function statusText({ status, counts, publish }: PostImport): string {
  const posts = (count: number) => `${count} ${count === 1 ? 'post' : 'posts'}`
  const failed = counts.failed > 0 ? ` ${posts(counts.failed)} can’t be imported.` : ''
  const known = counts.known > 0 ? ` ${posts(counts.known)} ${counts.known === 1 ? 'is' : 'are'} here already.` : ''
  switch (status) {
    case 'checking':
      return 'Checking the file.'
    case 'checked':
      return `${posts(counts.new)} can be imported.${known}${failed}`
    case 'importing':
      return publish ? 'Importing and publishing.' : 'Importing as drafts.'
    case 'finished':
      return `Done: ${posts(counts.imported + counts.published)} imported, ${counts.published} of them published.${known}${failed}`
    case 'failed':
      return 'We couldn’t read this file. Nothing was imported.'
    case 'canceled':
      return `Canceled. ${posts(counts.imported + counts.published)} ${counts.imported + counts.published === 1 ? 'was' : 'were'} imported until then.`
  }
}

function StartForm({ postImport: given }: { postImport: PostImport }) {
  const start = useStartPostImport()
  const [publish, setPublish] = useState(false)
  const [siteAddress, setSiteAddress] = useState('')
  return (
    <form
      className="grid max-w-[40rem] gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate({ id: given.id, publish, siteAddress: siteAddress.trim() || null })
      }}
    >
      <Choice
        type="checkbox"
        label="Publish posts that were published"
        description="With their original date. Otherwise, all of them become drafts. Either way, no email is sent."
        checked={publish}
        onChange={(event) => setPublish(event.target.checked)}
      />
      <TextField
        label="Address of your old site"
        hint="Optional. Images and files that aren’t in the file are fetched from it."
        type="url"
        placeholder="https://example.com"
        value={siteAddress}
        onChange={(event) => setSiteAddress(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={start.isPending}>
          {importLabel(given)}
        </Button>
        {given.status === 'checked' && <CancelButton id={given.id}>Discard</CancelButton>}
      </div>
      {start.isError && <FormError>{errorMessage(start.error)}</FormError>}
    </form>
  )
}

function importLabel({ status, counts }: PostImport): string {
  if (status === 'canceled') return 'Import the rest'
  return counts.new === 1 ? 'Import 1 post' : `Import ${counts.new} posts`
}

function CancelButton({ id, children }: { id: string; children: string }) {
  const cancel = useCancelPostImport()
  return (
    <Button variant="secondary" pending={cancel.isPending} onClick={() => cancel.mutate(id)}>
      {children}
    </Button>
  )
}

const resultNames = {
  new: 'New',
  known: 'Here already',
  imported: 'Draft',
  published: 'Published',
  failed: 'Not imported',
} as const

function ItemTable({ postImport: given }: { postImport: PostImport }) {
  const query = useInfiniteQuery(postImportItemsQuery(given))
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <InfiniteList
      query={query}
      what="the posts"
      skeleton={<Skeleton className="mt-3 h-40" />}
      empty={items.length === 0 ? 'No posts in this file.' : null}
    >
      <div
        aria-hidden
        className="mt-3 hidden gap-x-6 text-sm font-semibold text-muted sm:grid sm:grid-cols-[1fr_14rem_6rem]"
      >
        <span>Post</span>
        <span>Who can read it once published</span>
        <span className="text-right">Result</span>
      </div>
      <ul aria-label="Posts of the file" className="mt-3 divide-y divide-line border-t border-line">
        {items.map((item) => (
          <ItemRow key={item.position} item={item} />
        ))}
      </ul>
    </InfiniteList>
  )
}

const readersNames = {
  everyone: 'Everyone',
  part: 'A part for everyone, all of it for members',
  members: 'Members',
} as const

function ItemRow({ item: { title, result, documentId, readers, notes } }: { item: PostImportItem }) {
  return (
    <li className="py-3">
      <div className="grid items-baseline gap-x-6 gap-y-1 sm:grid-cols-[1fr_14rem_6rem]">
        <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          {documentId ? <Link to={`/admin/content/drops/${documentId}`}>{title}</Link> : title}
        </span>
        <span className="text-sm text-muted">
          <span className="sr-only">Who can read it once it’s published: </span>
          {readers && readersNames[readers]}
        </span>
        <span className="sm:text-right">
          <Tag>{resultNames[result]}</Tag>
        </span>
      </div>
      {notes.length > 0 && (
        <ul className="mt-1 grid gap-0.5 text-sm text-muted [overflow-wrap:anywhere]">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </li>
  )
}

const pollMs = 2_000
const isRunning = ({ status }: PostImport) => status === 'checking' || status === 'importing'

const postImportsQuery = fieldQuery(['admin-post-imports'], adminPostImportsCall, {}, 'items', {
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isRunning) ? pollMs : false),
})
const useRefresh = () => useInvalidate(postImportsQuery.queryKey)

function useUploadPosts() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (file: File) => upload(adminUploadPostsCall, { name: file.name }, file),
    onSettled: refresh,
  })
}

function useStartPostImport() {
  const queryClient = useQueryClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (input: { id: string; publish: boolean; siteAddress: string | null }) =>
      invoke(adminStartPostImportCall, input),
    onSettled: () => {
      // New drops appear in the content lists.
      void queryClient.invalidateQueries({ queryKey: ['admin-content', 'issue'] })
      return refresh()
    },
  })
}

function useCancelPostImport() {
  const refresh = useRefresh()
  return useMutation({ mutationFn: (id: string) => invoke(adminCancelPostImportCall, { id }), onSettled: refresh })
}
