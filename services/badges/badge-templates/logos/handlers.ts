import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Call, Download, Output } from '@gatehouse/proto/declaring/resource.ts'
import { logoTypeOf } from '@gatehouse/proto/formats/logos/types.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { BadgeTemplate, badgeTemplates } from '../resource.ts'
import { rasterized } from './rasterizer.ts'

type Actions = (typeof badgeTemplates)['actions']

/** Stores the logo of a template: first the picture, then the template that names it. */
export async function upload_logo(
  dependencies: Dependencies,
  { params: { event_id, id }, upload }: Call<Actions['upload_logo']>,
): Promise<Output<Actions['upload_logo']>> {
  found(await dependencies.templates.get(event_id, id))
  const bytes = Buffer.from(upload.bytes)
  const { media } = logoTypeOf(upload.content_type, bytes)
  return named(
    dependencies,
    event_id,
    id,
    await dependencies.badgeLogos.put(event_id, await rasterized({ bytes, media })),
  )
}

/** Deletes the logo of a template. */
export function delete_logo(
  dependencies: Dependencies,
  { params: { event_id, id } }: Call<Actions['delete_logo']>,
): Promise<Output<Actions['delete_logo']>> {
  return named(dependencies, event_id, id, null)
}

/** Returns the logo of a template as it is printed. */
export async function logo(
  { templates, badgeLogos }: Dependencies,
  { params: { event_id, id } }: Call<Actions['logo']>,
): Promise<Download> {
  const { logo_id } = found(await templates.get(event_id, id))
  const [stored] = await badgeLogos.ofIds(event_id, logo_id ? [logo_id] : [])
  if (!stored) throw notFound()
  return { bytes: stored.png }
}

async function named(
  { templates, templateOrders, badgeLogos }: Dependencies,
  event_id: string,
  id: string,
  logo_id: string | null,
): Promise<BadgeTemplate> {
  const updated = found(await templates.update(event_id, id, { logo_id }))
  await templateOrders.order(updated)
  await badgeLogos.deleteOthers(event_id, await templates.logoIds(event_id))
  return updated
}
