import { FileButton } from '#client/ui/file-button.tsx'
import { imageLimits } from '#shared/contracts/publishing/publishing-library.ts'

export function ImageUpload({ pending, onFile }: { pending: boolean; onFile: (file: File) => void }) {
  return (
    <div className="grid gap-1.5">
      <FileButton
        label="Upload an image"
        accept="image/jpeg,image/png,image/webp,image/gif"
        pending={pending}
        onFile={onFile}
      />
      <p className="text-sm text-muted">
        JPEG, PNG, WebP or GIF, up to {imageLimits.bytes / 1024 / 1024} MB. Location and camera data are removed.
      </p>
    </div>
  )
}
