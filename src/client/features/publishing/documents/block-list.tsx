import { useQuery } from '@tanstack/react-query'
import { Blocks, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { CallError, errorMessage } from '#client/lib/error-message.ts'
import { focusField } from '#client/lib/focus-field.ts'
import { ownWords } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Panel } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { toSlug } from '#shared/contracts/publishing/documents.ts'
import {
  adminDeleteBlockCall,
  adminSaveBlockCall,
  type Block,
} from '#shared/contracts/publishing/publishing-library.ts'
import { blocksQuery } from './blocks-and-files.api.ts'
import { pathOfKind } from './content-kinds.ts'
import { MarkdownField } from './markdown-field.tsx'

const newBlock = { id: '', version: 0, title: '', body: '' }

/** Reusable texts that several drops include. */
export function BlockList() {
  const { data: blocks } = useQuery(blocksQuery)
  // Problems of a mailing link to a line of a block.
  const [arrival] = useSearchParams()
  const [open, setOpen] = useState(arrival.get('block'))
  const line = open === arrival.get('block') ? Number(arrival.get('line')) || null : null
  const close = () => setOpen(null)
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <p className="max-w-[60ch] text-muted">
          {ownWords`Reusable text. Insert it in a drop as `}
          {'{{block:name}}'}
          {ownWords`. When you edit a block, every published drop that uses it changes too.`}
        </p>
        <Button onClick={() => setOpen('')}>
          <Plus aria-hidden className="size-4" strokeWidth={1.75} />
          New block
        </Button>
      </div>
      {open === '' && <BlockForm block={newBlock} onClose={close} />}
      {!blocks ? (
        <SkeletonText lines={3} height="h-14" />
      ) : blocks.length === 0 ? (
        <p className="border-y border-line py-8 text-muted">
          No blocks yet. Start with text you repeat often, such as how you test tools.
        </p>
      ) : (
        <div className="border-b border-line">
          <ItemList label="Blocks">
            {blocks.map((block) => (
              <BlockRow
                key={block.id}
                block={block}
                isOpen={open === block.id}
                line={line}
                onOpen={setOpen}
                onClose={close}
              />
            ))}
          </ItemList>
        </div>
      )}
    </div>
  )
}

type BlockRowProps = {
  block: Block
  isOpen: boolean
  line: number | null
  onOpen: (id: string) => void
  onClose: () => void
}

function BlockRow({ block, isOpen, line, onOpen, onClose }: BlockRowProps) {
  const remove = useChange(adminDeleteBlockCall)
  const handleRemove = () =>
    remove.mutate(
      { id: block.id },
      {
        onError: (error) => toast.error('The block wasn’t deleted', { description: errorMessage(error) }),
      },
    )
  return (
    <ItemRow
      icon={Blocks}
      title={block.title}
      facts={
        <>
          {`{{block:${block.id}}}`} · edited <Timestamp at={block.updatedAt} inline /> · <Uses block={block} />
        </>
      }
      actions={
        <>
          <Button variant="quiet" size="sm" onClick={() => onOpen(block.id)} aria-label={`Edit ${block.title}`}>
            Edit
          </Button>
          {block.usedIn.length === 0 && (
            <ConfirmButton
              label="Delete"
              variant="quiet"
              size="sm"
              pending={remove.isPending}
              aria-label={`Delete ${block.title}`}
              title="Delete this block?"
              action="Delete block"
              onConfirm={handleRemove}
            >{ownWords`No drop uses it. You can’t undo this.`}</ConfirmButton>
          )}
        </>
      }
    >
      {isOpen && <BlockForm block={block} line={line} onClose={onClose} />}
    </ItemRow>
  )
}

function Uses({ block: { usedIn } }: { block: Block }) {
  if (usedIn.length === 0) return 'not used yet'
  return (
    <>
      used in{' '}
      {usedIn.map(({ kind, id, title }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to={`/admin/content/${pathOfKind(kind)}/${id}`} className="text-link">
            {title}
          </Link>
        </span>
      ))}
    </>
  )
}

type BlockFormProps = {
  block: Pick<Block, 'id' | 'version' | 'title' | 'body'>
  /** Line to put the cursor on; null for the name field. */
  line?: number | null
  onClose: () => void
}

function BlockForm({ block, line = null, onClose }: BlockFormProps) {
  const save = useChange(adminSaveBlockCall)
  useEffect(() => {
    if (line !== null) focusField('block', line)
  }, [line])
  const [title, setTitle] = useState(block.title)
  const [body, setBody] = useState(block.body)
  const handleSubmit = submitHandler(save, () =>
    save.mutate({ id: block.id || toSlug(title), version: block.version, title, body }, { onSuccess: onClose }),
  )
  const isConflict = save.error instanceof CallError && save.error.code === 'edit_conflict'
  return (
    <Panel label={block.id ? `Edit ${block.title}` : 'New block'}>
      <form onSubmit={handleSubmit} className="grid gap-5">
        <TextField
          label="Name"
          required
          maxLength={80}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          hint={block.id ? undefined : `Insert it as {{block:${toSlug(title) || 'name'}}}`}
          autoFocus
        />
        <MarkdownField label="Text" path="block" value={body} onChange={setBody} rows={5} withBlocks={false} />
        <FormActions
          action="Save block"
          change={save}
          error={isConflict && 'Someone else saved this block. Copy your changes, then close and reopen it.'}
          onCancel={onClose}
        />
      </form>
    </Panel>
  )
}
