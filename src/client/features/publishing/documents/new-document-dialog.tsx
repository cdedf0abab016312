import type { SubmitEvent } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import { useCreateDocument } from './content.api.ts'
import { contentKinds } from './content-kinds.ts'

type NewDocumentDialogProps = {
  kind: DocumentKind
  onClose: () => void
}

/** Creates a document with a title only and opens it. */
export function NewDocumentDialog({ kind, onClose }: NewDocumentDialogProps) {
  const create = useCreateDocument(kind)
  const { one } = contentKinds[kind]
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (create.isPending) return
    create.mutate({ title: String(new FormData(event.currentTarget).get('title')) })
  }
  return (
    <Dialog title={`New ${one}`} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        <TextField
          label={kind === 'tool' ? 'Name' : 'Title'}
          name="title"
          required
          maxLength={200}
          autoComplete="off"
          autoFocus
          error={formErrorMessage(create.error)}
        />
        <FormActions action={`Create ${one}`} pending={create.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
