import { Plus } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import type { DocumentKind } from '#shared/contracts/documents.ts'
import { useCreateDocument } from './content.api.ts'
import { contentKinds } from './content-kinds.ts'

/** Creates a document. Its URL is made from the title. */
export function NewDocument({ kind }: { kind: DocumentKind }) {
  const [isOpen, setIsOpen] = useState(false)
  const create = useCreateDocument(kind)
  const { one } = contentKinds[kind]
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (create.isPending) return
    create.mutate(String(new FormData(event.currentTarget).get('title')))
  }
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Plus aria-hidden className="size-4" strokeWidth={1.75} />
        New {one}
      </Button>
      {isOpen && (
        <Dialog title={`New ${one}`} onClose={() => setIsOpen(false)}>
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
            <FormActions action={`Create ${one}`} pending={create.isPending} onCancel={() => setIsOpen(false)} />
          </form>
        </Dialog>
      )}
    </>
  )
}
