import { type SubmitEvent, useState } from 'react'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions, FormError, TextField } from '#client/ui/form.tsx'
import {
  adminReadBookmarkCall,
  bookmarkLimits,
  type MediaImage,
} from '#shared/contracts/publishing/publishing-library.ts'
import { AddressField } from './link-dialog.tsx'
import { bookmarkMarkdown, problemOfAddress } from './markdown-commands.ts'

type BookmarkDialogProps = { onInsert: (markdown: string) => void; onClose: () => void }

/** Reads a page's title, description and picture once. All of them can be edited, or entered by hand. */
export function BookmarkDialog({ onInsert, onClose }: BookmarkDialogProps) {
  const [address, setAddress] = useState('')
  const [title, setTitle] = useState('')
  const [line, setLine] = useState('')
  const [image, setImage] = useState<MediaImage | null>(null)
  /** The button pressed last. Only its required fields show errors. */
  const [asked, setAsked] = useState<'read' | 'insert' | null>(null)
  const read = useChange(adminReadBookmarkCall, {
    onSuccess: (page) => {
      setTitle(page.title)
      setLine(page.line)
      setImage(page.image)
    },
  })
  const addressProblem = problemOfAddress(address)
  const isPage = /^https:/i.test(address.trim())
  const titleProblem = title.trim() === '' ? 'Enter the title that readers see' : null

  const handleRead = () => {
    setAsked('read')
    if (isPage && !addressProblem) read.mutate({ address })
  }
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setAsked('insert')
    if (!addressProblem && !titleProblem) onInsert(bookmarkMarkdown({ address, title, line, image }))
  }
  const shownProblem = addressProblem ?? (asked === 'read' && !isPage ? 'Start the address with https://' : null)

  return (
    <Dialog title="Insert a bookmark" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5" noValidate>
        <AddressField
          label="Page address"
          value={address}
          onChange={setAddress}
          error={(asked && shownProblem) || undefined}
        />
        <div className="grid justify-items-start gap-1.5">
          <Button variant="secondary" size="sm" pending={read.isPending} onClick={handleRead}>
            Get title and picture
          </Button>
          <p className="text-sm text-muted">
            Read once and stored here. Readers load nothing from the page until they open it.
          </p>
          <p role="status" className="text-sm empty:hidden">
            {read.isSuccess && !title && !line && 'The page has no title. Enter one.'}
          </p>
        </div>
        <FormError>{formErrorMessage(read.error)}</FormError>
        <TextField
          label="Title"
          value={title}
          maxLength={bookmarkLimits.title}
          onChange={(event) => setTitle(event.target.value)}
          error={(asked === 'insert' && titleProblem) || undefined}
        />
        <TextField
          label="Line below the title"
          hint="Optional."
          value={line}
          maxLength={bookmarkLimits.line}
          onChange={(event) => setLine(event.target.value)}
        />
        {image && (
          <div className="grid justify-items-start gap-2">
            <img src={image.path} alt="The page’s own" className="max-h-40 rounded-md" />
            <Button variant="quiet" size="sm" onClick={() => setImage(null)}>
              Remove picture
            </Button>
          </div>
        )}
        <FormActions action="Insert bookmark" pending={read.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
