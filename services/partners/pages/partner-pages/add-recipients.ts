import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { Binary, ObjectId } from 'mongodb'
import type { Dependencies } from '../../dependencies.ts'
import { newPage, problems, type UploadProblem } from './pages/new.ts'
import { readRows } from './uploads/checking.ts'
import { readUploadForm } from './uploads/multipart.ts'
import { uploadLimits } from './uploads/upload-limits.ts'
import { PASTED, type PageRequest, redirect, storedUpload, uploadOwner, type Visit } from './visit.ts'

/** Characters of pasted text up to which a form shows it again. */
const MAX_SHOWN = 1_000_000

/** Shows the form for recipients, and what was sent with it. */
export async function showForm(dependencies: Dependencies, visit: Visit): Promise<WebResponse> {
  const problem = Object.keys(problems).find((each) => each === visit.query.get('problem'))
  const stored = await storedUpload(dependencies, visit, visit.query.get('from') ?? '')
  return formAgain(visit, problem as UploadProblem | undefined, stored?.is_pasted ? stored.bytes?.buffer : undefined)
}

/** Stores recipients, and leads to the page that checks them. */
export async function takeUpload(
  { sessions, uploads }: Dependencies,
  visit: Visit,
  { bytes, content_type }: NonNullable<PageRequest['upload']>,
): Promise<WebResponse> {
  const { place, token, account_id } = visit
  const form = await uploadLimits.parse(account_id, () => readUploadForm(bytes, content_type))
  const { pasted, file } = form ?? {}
  if (!form || !sessions.carries(form.fields.get('csrf'), token)) return formAgain(visit, 'form', pasted)
  if (pasted && file) return formAgain(visit, 'both', pasted)
  const content = pasted ?? file
  if (!content?.length) return formAgain(visit, 'empty')
  const rows = await readRows(account_id, content, file ? {} : PASTED)
  if ('problem' in rows) return formAgain(visit, rows.problem, pasted)
  const _id = new ObjectId().toHexString()
  const upload = { is_pasted: file === undefined, bytes: new Binary(content), created_at: new Date() }
  await uploads.add({ ...uploadOwner(visit), _id, ...upload })
  return redirect(`${place.path}/uploads/${_id}`)
}

/** The form, with pasted text again: all of it or none, so that no part is lost unseen. */
function formAgain(visit: Visit, problem?: UploadProblem, pasted?: Uint8Array): WebResponse {
  const addresses = pasted && pasted.length <= MAX_SHOWN ? new TextDecoder().decode(pasted) : ''
  return toAnswer(newPage(visit, { problem, addresses }))
}
