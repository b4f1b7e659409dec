/** Before the name of a metadata column whose own name would be read as something else: `metadata: Company`. */
export const GUEST_METADATA_PREFIX = 'metadata: '
