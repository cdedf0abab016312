import { ErrorList } from '#client/features/publishing/documents/error-list.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { formatCount } from '#shared/domain/format-count.ts'

/** Errors of the checks that the publisher must accept. */
export const CheckErrors = ({ errors }: { errors: readonly string[] }) => (
  <ErrorList
    title={`The checks found ${formatCount(errors.length, 'error')} to fix first:`}
    label="Errors to fix first"
    errors={errors}
  />
)

type ErrorsDialogProps = {
  title: string
  errors: readonly string[]
  action: string
  onConfirm: () => void
  onClose: () => void
}

export function ErrorsDialog({ title, errors, action, onConfirm, onClose }: ErrorsDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="mt-3">
        <CheckErrors errors={errors} />
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant="danger" onClick={onConfirm}>
          {action}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
