import type { Badge } from '../printing/print.ts'

/** A badge, which is seen in print alone: one page of the size of its paper. */
export function BadgePage({ badge }: { badge: Badge }) {
  const { name, company, position, category, qr_code, picture, guest_uid } = badge
  if (picture)
    return (
      <div class="badge-page made" data-guest={guest_uid} aria-hidden="true">
        <img
          src={picture.address}
          alt=""
          style={{ width: `${picture.width_mm}mm`, height: `${picture.height_mm}mm` }}
        />
      </div>
    )
  return (
    <div class="badge-page" data-guest={guest_uid} aria-hidden="true">
      {category && <p class="category">{category}</p>}
      <p class="name">{name}</p>
      {position && <p>{position}</p>}
      {company && <p>{company}</p>}
      {qr_code && <img src={qr_code} alt="" />}
    </div>
  )
}
