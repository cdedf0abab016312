import { useNavigate } from 'react-router'
import { DeleteAccountSection } from '#client/features/account/delete-account-section.tsx'
import { ExportSection } from '#client/features/account/export-section.tsx'
import { signOut } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'

export function Component() {
  const navigate = useNavigate()

  /** Home first: signed out in here, a guard would ask somebody without an account to sign in. */
  const handleDeleted = async () => {
    await navigate('/', { replace: true, flushSync: true })
    await signOut()
    toast.success('Your account is deleted', {
      id: 'farewell',
      description: 'Thank you for reading with us. The door stays open.',
    })
  }

  return (
    <>
      <h2 className="sr-only">Data</h2>
      <div>
        <ExportSection />
        <DeleteAccountSection onDeleted={() => void handleDeleted()} />
      </div>
    </>
  )
}
