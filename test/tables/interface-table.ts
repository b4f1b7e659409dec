/**
 * The HTTP interface as docs/interface.md has it, an action a line, written by hand: interface.test.ts compares the declarations with it.
 * What changes here changes for clients.
 *
 * - Path: `[…]` may be left out; `.json.csv` are its suffixes, `.json.xml` where there are none; `?name` is the shape of its query.
 * - Who: the least scope, or the parameter that holds a secret instead of a token.
 * - Root: the key that a body may be wrapped in; `many[]` of a batch, whose items have the shape.
 * - Needs: the fields without which a body is refused.
 * - Status: `200 empty` has no body unless `Prefer` asks for it, like 204.
 * - Name: the root of the answer in XML; `many[]` of a list.
 *
 * `many[]` is a list whose XML children are called as it is without its s, and `many[one]` one whose children are not.
 */
export const table = `
Method | Path                                                                                        | Who          | Root                       | Body                     | Needs                            | Status    | Name                             | Answer

GET    | /api/v1/events?events                                                                       | door         |                            |                          |                                  | 200       | events[]                         | event
GET    | /api/v1/events/:event                                                                       | door         |                            |                          |                                  | 200       | event                            | event
POST   | /api/v1/events                                                                              | admin        | event                      | new_event                | account_id title                 | 201       | event                            | event
DELETE | /api/v1/events/:event?confirmation                                                          | admin        |                            |                          |                                  | 204       | event                            | event
PUT    | /api/v1/events/:event                                                                       | admin        | event                      | event_changes            |                                  | 204       | event                            | event
POST   | /api/v1/[events/]:event/copy                                                                | admin        | event                      | event_copy               |                                  | 201       | event                            | event
GET    | /api/v1/[events/]:event/archive.tgz                                                         | admin        |                            |                          |                                  | 200       |                                  |
GET    | /api/v1/event_imports?whole_list                                                            | admin        |                            |                          |                                  | 200       | event_imports[]                  | event_import
POST   | /api/v1/event_imports                                                                       | admin        | event_import               | archive_page             | from_account_id documents seal   | 201       | event_import                     | event_import
POST   | /api/v1/event_imports/pages                                                                 | admin        | event_import               | archive_page_of_event    | event_id collection from_account_id documents seal | 201       | event_import                     | event_import
POST   | /api/v1/event_imports/:id/finish                                                            | admin        |                            |                          |                                  | 200       | event_import                     | event_import
DELETE | /api/v1/event_imports/:id                                                                   | admin        |                            |                          |                                  | 204       | event_import                     | event_import
GET    | /api/v1/[events/]:event/statistics                                                          | read         |                            |                          |                                  | 200       | statistics                       | statistics
GET    | /api/v1/[events/]:event/live?live                                                           | read         |                            |                          |                                  | 200       |                                  |

GET    | /api/v1/[events/]:event/guests?guests                                                       | door         |                            |                          |                                  | 200       | guests[]                         | guest
GET    | /api/v1/[events/]:event/guests/:id?guest_flags                                              | door         |                            |                          |                                  | 200       | guest                            | guest
POST   | /api/v1/[events/]:event/guests                                                              | admin        | guest                      | new_guest                | guest_category_id                | 201       | guest                            | guest
PUT    | /api/v1/[events/]:event/guests/:id                                                          | admin        | guest                      | guest_input              |                                  | 204       | guest                            | guest
DELETE | /api/v1/[events/]:event/guests/:id                                                          | admin        |                            |                          |                                  | 204       | guest                            | guest
POST   | /api/v1/[events/]:event/guests/batch_create                                                 | admin        | guests[]                   | keyed_guest              | guest_category_id                | 201       | guests[]                         | created_guest
POST   | /api/v1/[events/]:event/guests/batch_update                                                 | admin        | guests[]                   | changed_guest            | _id                              | 200       | guests[]                         | ids
POST   | /api/v1/[events/]:event/guests/batch_delete                                                 | admin        | guests[]                   | ids                      | _id                              | 200       | guests[]                         | ids
POST   | /api/v1/[events/]:event/guests/:id/send_qrcode                                              | admin        |                            |                          |                                  | 200       | qr_code_mail                     | qr_code_mail
GET    | /api/v1/[events/]:event/guests/:guest/mails?whole_list                                      | read         |                            |                          |                                  | 200       | guest_mails[]                    | guest_mail

GET    | /api/v1/[events/]:event/personal_documents?personal_documents                               | admin        |                            |                          |                                  | 200       | personal_document                | personal_documents_page
GET    | /api/v1/[events/]:event/erasures?page_of_500                                                | admin        |                            |                          |                                  | 200       | erasures[]                       | erasure
GET    | /api/v1/[events/]:event/erasures/:id                                                        | admin        |                            |                          |                                  | 200       | erasure                          | erasure
POST   | /api/v1/[events/]:event/erasures                                                            | admin        | erasure                    | erasure_input            | by                               | 201       | erasure                          | erasure

GET    | /api/v1/[events/]:event/guests/:guest/badge/:secret.pdf                                     | secret       |                            |                          |                                  | 302       |                                  |
GET    | /api/v1/[events/]:event/guests/:guest/badge/:secret/file.pdf.svg                            | secret       |                            |                          |                                  | 200       |                                  |
GET    | /api/v1/[events/]:event/guests/:guest/qrcode/:secret.png.svg                                | secret       |                            |                          |                                  | 200       |                                  |
GET    | /api/v1/[events/]:event/guests/:guest/wallet.json.xml.pkpass                                | read         |                            |                          |                                  | 200       | wallet_pass                      | wallet_pass
GET    | /api/v1/[events/]:event/guests/:guest/wallet/:secret.pkpass                                 | secret       |                            |                          |                                  | 200       |                                  |
GET    | /api/v1/[events/]:event/badges.pdf?printed                                                  | read         |                            |                          |                                  | 200       |                                  |
GET    | /api/v1/[events/]:event/badge_templates?whole_list                                          | read         |                            |                          |                                  | 200       | badge_templates[badge-template]  | badge_template
GET    | /api/v1/[events/]:event/badge_templates/:id                                                 | read         |                            |                          |                                  | 200       | badge_template                   | badge_template
POST   | /api/v1/[events/]:event/badge_templates                                                     | admin        | badge_template             | badge_template_input     | name                             | 201       | badge_template                   | badge_template
PUT    | /api/v1/[events/]:event/badge_templates/:id                                                 | admin        | badge_template             | badge_template_input     |                                  | 204       | badge_template                   | badge_template
PUT    | /api/v1/[events/]:event/badge_templates/:id/logo                                            | admin        |                            | svg png jpg              |                                  | 200       | badge_template                   | badge_template
DELETE | /api/v1/[events/]:event/badge_templates/:id/logo                                            | admin        |                            |                          |                                  | 204       | badge_template                   | badge_template
GET    | /api/v1/[events/]:event/badge_templates/:id/logo.png                                        | read         |                            |                          |                                  | 200       |                                  |
GET    | /api/v1/[events/]:event/badge_templates/:id/preview.pdf?of_guest                            | read         |                            |                          |                                  | 200       |                                  |
POST   | /api/v1/[events/]:event/badge_templates/drawing                                             | admin        | badge_template             | badge_drawing_input      |                                  | 200       | badge_drawing                    | badge_drawing
DELETE | /api/v1/[events/]:event/badge_templates/:id                                                 | admin        |                            |                          |                                  | 204       | badge_template                   | badge_template
GET    | /api/v1/[events/]:event/deciphered_qr_code?qr_content                                       | door         |                            |                          |                                  | 200       | qr_code                          | deciphered
GET    | /api/v1/[events/]:event/qr_code_key                                                         | door         |                            |                          |                                  | 200       | qr_code_key                      | qr_code_key
GET    | /api/v1/[events/]:event/guests/:guest/files?whole_list                                      | read         |                            |                          |                                  | 200       | files[]                          | file
GET    | /api/v1/[events/]:event/guests/:guest/files/:key.json.xml.pdf.png.jpg.jpeg.webp.gif         | read         |                            |                          |                                  | 200       | file                             | file
PUT    | /api/v1/[events/]:event/guests/:guest/files/:key?upload                                     | admin        |                            | pdf png jpg webp gif     |                                  | 200       | file                             | file
DELETE | /api/v1/[events/]:event/guests/:guest/files/:key                                            | admin        |                            |                          |                                  | 204       | file                             | file

GET    | /api/v1/[events/]:event/guest_categories?whole_list                                         | door         |                            |                          |                                  | 200       | guest_categories[guest-category] | guest_category
GET    | /api/v1/[events/]:event/guest_categories/:id                                                | door         |                            |                          |                                  | 200       | guest_category                   | guest_category
POST   | /api/v1/[events/]:event/guest_categories /api/v1/[events/]:event/guest_category             | admin        | guest_category             | category_input           | name                             | 201       | guest_category                   | guest_category
PUT    | /api/v1/[events/]:event/guest_categories/:id                                                | admin        | guest_category             | category_input           |                                  | 204       | guest_category                   | guest_category
DELETE | /api/v1/[events/]:event/guest_categories/:id                                                | admin        |                            |                          |                                  | 204       | guest_category                   | guest_category

GET    | /api/v1/[events/]:event/guest_fields?whole_list                                             | door         |                            |                          |                                  | 200       | guest_fields[]                   | guest_field
GET    | /api/v1/[events/]:event/guest_fields/:id                                                    | door         |                            |                          |                                  | 200       | guest_field                      | guest_field
POST   | /api/v1/[events/]:event/guest_fields                                                        | admin        | guest_field                | guest_field_input        | key                              | 201       | guest_field                      | guest_field
POST   | /api/v1/[events/]:event/guest_fields/batch_create                                           | admin        | guest_fields[]             | guest_field_input        | key                              | 201       | guest_fields[]                   | guest_field
PUT    | /api/v1/[events/]:event/guest_fields/:id                                                    | admin        | guest_field                | guest_field_input        |                                  | 204       | guest_field                      | guest_field

GET    | /api/v1/[events/]:event/accesspoints?whole_list                                             | door         |                            |                          |                                  | 200       | accesspoints[]                   | accesspoint
GET    | /api/v1/[events/]:event/accesspoints/:id                                                    | door         |                            |                          |                                  | 200       | accesspoint                      | accesspoint
POST   | /api/v1/[events/]:event/accesspoints                                                        | admin        | accesspoint                | accesspoint_input        | name                             | 201       | accesspoint                      | accesspoint
PUT    | /api/v1/[events/]:event/accesspoints/:id                                                    | admin        | accesspoint                | accesspoint_input        |                                  | 204       | accesspoint                      | accesspoint
DELETE | /api/v1/[events/]:event/accesspoints/:id                                                    | admin        |                            |                          |                                  | 204       | accesspoint                      | accesspoint

GET    | /api/v1/[events/]:event/areas?whole_list                                                    | door         |                            |                          |                                  | 200       | areas[]                          | area
GET    | /api/v1/[events/]:event/areas/:id                                                           | door         |                            |                          |                                  | 200       | area                             | area
POST   | /api/v1/[events/]:event/areas                                                               | admin        | area                       | area_input               | name                             | 201       | area                             | area
PUT    | /api/v1/[events/]:event/areas/:id                                                           | admin        | area                       | area_input               |                                  | 204       | area                             | area
DELETE | /api/v1/[events/]:event/areas/:id                                                           | admin        |                            |                          |                                  | 204       | area                             | area

GET    | /api/v1/[events/]:event/guest_category_accesspoints?links                                   | door         |                            |                          |                                  | 200       | guest_category_accesspoints[]    | link
POST   | /api/v1/[events/]:event/guest_category_accesspoints                                         | admin        | guest_category_accesspoint | link_input               | guest_category_id accesspoint_id | 201       | guest_category_accesspoint       | link
PUT    | /api/v1/[events/]:event/guest_category_accesspoints/:id                                     | admin        | guest_category_accesspoint | link_input               |                                  | 204       | guest_category_accesspoint       | link
DELETE | /api/v1/[events/]:event/guest_category_accesspoints/:id                                     | admin        |                            |                          |                                  | 204       | guest_category_accesspoint       | link

GET    | /api/v1/[events/]:event/access_controls?check_ins                                           | door         |                            |                          |                                  | 200       | access_controls[]                | check_in
POST   | /api/v1/[events/]:event/access_controls                                                     | door         | access_control             | new_check_in             | accesspoint_id guest_uid         | 201       | access_control                   | check_in
POST   | /api/v1/[events/]:event/access_controls/batch_create                                        | door         | access_controls[]          | new_check_in             | accesspoint_id guest_uid         | 201       | access_controls[]                | check_in
DELETE | /api/v1/[events/]:event/access_controls/:id                                                 | door         |                            |                          |                                  | 204       | access_control                   | check_in
POST   | /api/v1/[events/]:event/walk_ins                                                            | door         | walk_in                    | new_walk_in              | accesspoint_id guest_category_id | 201       | walk_in                          | walk_in

GET    | /api/v1/[events/]:event/signatures?page_of_500                                              | door         |                            |                          |                                  | 200       | signatures[]                     | listed_signature
POST   | /api/v1/[events/]:event/signatures                                                          | door         | signature                  | new_signature            | accesspoint_id guest_uid points  | 201       | signature                        | signature
POST   | /api/v1/[events/]:event/signatures/batch_create                                             | door         | signatures[]               | new_signature            | accesspoint_id guest_uid points  | 201       | signatures[]                     | signature

GET    | /api/v1/[events/]:event/snapshot.json?snapshot                                              | door         |                            |                          |                                  | 200       |                                  |

GET    | /api/v1/[events/]:event/scan_times                                                          | read         |                            |                          |                                  | 200       | scan_times                       | scan_times
PUT    | /api/v1/[events/]:event/scan_times                                                          | door         | scan_times                 | scan_time_report         | report_key scans                | 200       | scan_times                       | counted_scans

GET    | /api/v1/[events/]:event/promo_codes?page_of_500                                             | read         |                            |                          |                                  | 200       | promo_codes[]                    | promo_code
GET    | /api/v1/[events/]:event/promo_codes/:id                                                     | read         |                            |                          |                                  | 200       | promo_code                       | promo_code
POST   | /api/v1/[events/]:event/promo_codes                                                         | admin        | promo_code                 | promo_code_input         | text                             | 201       | promo_code                       | promo_code
PUT    | /api/v1/[events/]:event/promo_codes/:id                                                     | admin        | promo_code                 | promo_code_input         |                                  | 204       | promo_code                       | promo_code
DELETE | /api/v1/[events/]:event/promo_codes/:id                                                     | admin        |                            |                          |                                  | 204       | promo_code                       | promo_code

GET    | /api/v1/[events/]:event/partners?whole_list                                                 | read         |                            |                          |                                  | 200       | partners[]                       | partner
GET    | /api/v1/[events/]:event/partners/:uid                                                       | read         |                            |                          |                                  | 200       | partner                          | partner
POST   | /api/v1/[events/]:event/partners                                                            | admin        | partner                    | partner_input            | name                             | 201       | partner                          | partner
PUT    | /api/v1/[events/]:event/partners/:uid                                                       | admin        | partner                    | partner_input            |                                  | 204       | partner                          | partner
DELETE | /api/v1/[events/]:event/partners/:uid                                                       | admin        |                            |                          |                                  | 200 empty | partner                          | partner

GET    | /api/v1/[events/]:event/invitation_types?whole_list                                         | read         |                            |                          |                                  | 200       | invitation_types[]               | invitation_type
GET    | /api/v1/[events/]:event/invitation_types/:id                                                | read         |                            |                          |                                  | 200       | invitation_type                  | invitation_type
GET    | /api/v1/[events/]:event/invitation_types/:id/preview.json.xml.html                          | admin        |                            |                          |                                  | 200       | invitation_type_preview          | mailing_preview
POST   | /api/v1/[events/]:event/invitation_types/preview                                            | admin        | invitation_type            | invitation_type_draft    |                                  | 200       | invitation_type_preview          | mailing_preview
POST   | /api/v1/[events/]:event/invitation_types                                                    | admin        | invitation_type            | invitation_type_input    | name                             | 201       | invitation_type                  | invitation_type
PUT    | /api/v1/[events/]:event/invitation_types/:id                                                | admin        | invitation_type            | invitation_type_input    |                                  | 204       | invitation_type                  | invitation_type
DELETE | /api/v1/[events/]:event/invitation_types/:id                                                | admin        |                            |                          |                                  | 204       | invitation_type                  | invitation_type
POST   | /api/v1/[events/]:event/invitation_types/:id/test_send                                      | admin        | test_send                  | test_send_input          | email                            | 200       | test_send                        | test_send
POST   | /api/v1/[events/]:event/invitation_types/:id/remind                                         | admin        |                            |                          |                                  | 200       | mailing                          | mailing
POST   | /api/v1/[events/]:event/invitation_types/:type/invitations/batch_create                     | admin        | invitations[]              | recipient                | email                            | 201       | partner_invitations[]            | partner_invitation

GET    | /api/v1/[events/]:event/mailings?page_of_500                                                | read         |                            |                          |                                  | 200       | mailings[]                       | mailing
GET    | /api/v1/[events/]:event/mailings/:id                                                        | read         |                            |                          |                                  | 200       | mailing                          | mailing
POST   | /api/v1/[events/]:event/mailings                                                            | admin        | mailing                    | mailing_input            | name subject message             | 201       | mailing                          | mailing
PUT    | /api/v1/[events/]:event/mailings/:id                                                        | admin        | mailing                    | mailing_input            |                                  | 204       | mailing                          | mailing
DELETE | /api/v1/[events/]:event/mailings/:id                                                        | admin        |                            |                          |                                  | 204       | mailing                          | mailing
POST   | /api/v1/[events/]:event/mailings/:id/send                                                   | admin        |                            |                          |                                  | 200       | mailing                          | mailing
POST   | /api/v1/[events/]:event/mailings/:id/pause                                                  | admin        |                            |                          |                                  | 200       | mailing                          | mailing
POST   | /api/v1/[events/]:event/mailings/:id/resume                                                 | admin        |                            |                          |                                  | 200       | mailing                          | mailing
GET    | /api/v1/[events/]:event/mailings/:id/audience                                               | read         |                            |                          |                                  | 200       | audience_count                   | audience_count
GET    | /api/v1/[events/]:event/mailings/:id/preview.html?of_guest                                  | admin        |                            |                          |                                  | 200       |                                  |
POST   | /api/v1/[events/]:event/mailings/:id/preview                                                | admin        | mailing                    | mailing_preview_input    |                                  | 200       | mailing_preview                  | mailing_preview
POST   | /api/v1/[events/]:event/mailings/preview                                                    | admin        | mailing                    | mailing_draft            |                                  | 200       | mailing_preview                  | mailing_preview
POST   | /api/v1/[events/]:event/mailings/:id/test_send                                              | admin        | mailing                    | mailing_test_send        | email                            | 200       | test_send                        | test_send

GET    | /api/v1/[events/]:event/invitation_types/:type/partner_campaigns?page_of_50                 | read         |                            |                          |                                  | 200       | partner_campaigns[]              | partner_campaign
GET    | /api/v1/[events/]:event/invitation_types/:type/partner_campaigns/:id                        | read         |                            |                          |                                  | 200       | partner_campaign                 | partner_campaign
POST   | /api/v1/[events/]:event/invitation_types/:type/partner_campaigns                            | admin        | partner_campaign           | new_partner_campaign     | partner_id quota                 | 201       | partner_campaign                 | partner_campaign
POST   | /api/v1/[events/]:event/invitation_types/:type/partner_campaigns/:id/resume                 | admin        |                            |                          |                                  | 200       | partner_campaign                 | partner_campaign
DELETE | /api/v1/[events/]:event/invitation_types/:type/partner_campaigns/:id                        | admin        |                            |                          |                                  | 200 empty | partner_campaign                 | partner_campaign

GET    | /api/v1/[events/]:event/invitation_types/:type/partner_campaigns/:campaign/page_link        | admin        |                            |                          |                                  | 200       | page_link                        | page_link
POST   | /api/v1/[events/]:event/invitation_types/:type/partner_campaigns/:campaign/page_link        | admin        |                            |                          |                                  | 201       | page_link                        | new_page_link
POST   | /api/v1/[events/]:event/invitation_types/:type/partner_campaigns/:campaign/page_link/renew  | admin        |                            |                          |                                  | 200       | page_link                        | new_page_link
POST   | /api/v1/[events/]:event/invitation_types/:type/partner_campaigns/:campaign/page_link/send   | admin        | page_link                  | page_link_recipient      |                                  | 200       | page_link                        | page_link

GET    | /api/v1/[events/]:event/partners/:uid/partner_campaigns/:campaign/partner_access_tokens?whole_list | admin        |                            |                          |                                  | 200       | partner_access_tokens[]          | partner_access_token
POST   | /api/v1/[events/]:event/partners/:uid/partner_campaigns/:campaign/partner_access_tokens     | admin        | partner_access_token       | new_partner_access_token |                                  | 201       | partner_access_token             | shown_partner_access_token
DELETE | /api/v1/[events/]:event/partners/:uid/partner_campaigns/:campaign/partner_access_tokens/:id | admin        |                            |                          |                                  | 204       | partner_access_token             | partner_access_token

GET    | /api/v1/[events/]:event/invitation_types/:type/partner_campaigns/:campaign/invitations?partner_invitations | read         |                            |                          |                                  | 200       | partner_invitations[]            | partner_invitation
GET    | /api/v1/partners/:token/invitations /api/v1/partners/invitations?partner_invitations        | partner_access_token |                            |                          |                                  | 200       | partner_invitations[]            | partner_invitation
POST   | /api/v1/partners/:token/invitations/batch_create /api/v1/partners/invitations/batch_create  | partner_access_token | invitations[]              | recipient                | email                            | 201       | partner_invitations[]            | partner_invitation
PUT    | /api/v1/[events/]:event/invitation_types/:type/partner_campaigns/:campaign/invitations/:id | admin        | partner_invitation         | decision                 | registration_state               | 204       | partner_invitation               | partner_invitation
GET    | /api/v1/[events/]:event/registrations?registrations                                         | read         |                            |                          |                                  | 200       | registrations[]                  | registration
GET    | /api/v1/[events/]:event/guest_categories/:category/registration_page                         | read         |                            |                          |                                  | 200       | registration_page                | registration_page
GET    | /api/v1/[events/]:event/registrations/:id                                                   | read         |                            |                          |                                  | 200       | registration                     | registration
PUT    | /api/v1/[events/]:event/registrations/:id                                                   | admin        | registration               | registration_decision    | registration_state               | 204       | registration                     | registration
GET    | /api/v1/partners/:token/campaign /api/v1/partners/campaign                                  | partner_access_token |                            |                          |                                  | 200       | campaign                         | own_campaign

POST   | /api/v1/mail_events                                                                         | admin        | mail_events[]              | new_mail_event           | type                             | 201       | mail_events[]                    | mail_event

GET    | /api/v1/[events/]:event/blocked_recipients?whole_list                                       | read         |                            |                          |                                  | 200       | blocked_recipients[]             | blocked_recipient
GET    | /api/v1/[events/]:event/blocked_recipients/:id                                              | read         |                            |                          |                                  | 200       | blocked_recipient                | blocked_recipient
POST   | /api/v1/[events/]:event/blocked_recipients                                                  | admin        | blocked_recipient          | blocked_recipient_input  | address                          | 201       | blocked_recipient                | blocked_recipient
PUT    | /api/v1/[events/]:event/blocked_recipients/:id                                              | admin        | blocked_recipient          | blocked_recipient_input  |                                  | 204       | blocked_recipient                | blocked_recipient
DELETE | /api/v1/[events/]:event/blocked_recipients/:id                                              | admin        |                            |                          |                                  | 204       | blocked_recipient                | blocked_recipient

GET    | /api/v1/[events/]:event/suppressions?suppressions                                           | read         |                            |                          |                                  | 200       | suppressions[]                   | suppression
DELETE | /api/v1/[events/]:event/suppressions/:id                                                    | admin        |                            |                          |                                  | 204       | suppression                      | suppression

GET    | [/api/v1]/[events/]:event/exhibitors?whole_list                                             | read         |                            |                          |                                  | 200       | exhibitors[]                     | counted_exhibitor
GET    | [/api/v1]/[events/]:event/exhibitors/:id                                                    | read         |                            |                          |                                  | 200       | exhibitor                        | counted_exhibitor
POST   | [/api/v1]/[events/]:event/exhibitors                                                        | admin        | exhibitor                  | exhibitor_input          | name                             | 201       | exhibitor                        | shown_exhibitor
PUT    | [/api/v1]/[events/]:event/exhibitors/:id                                                    | admin        | exhibitor                  | exhibitor_input          |                                  | 204       | exhibitor                        | exhibitor
DELETE | [/api/v1]/[events/]:event/exhibitors/:id                                                    | admin        |                            |                          |                                  | 204       | exhibitor                        | exhibitor
POST   | [/api/v1]/[events/]:event/exhibitors/:id/roll_token                                         | admin        |                            |                          |                                  | 200       | exhibitor                        | shown_exhibitor
POST   | [/api/v1]/[events/]:event/exhibitors/:id/codes                                              | admin        |                            |                          |                                  | 201       | exhibitor                        | exhibitor_code
POST   | /api/v1/exhibitor_codes/:phone_code/exchange /api/v1/exhibitor_codes/exchange               | phone_code   |                            |                          |                                  | 201       | exhibitor                        | stand

GET    | [/api/v1]/[events/]:event/exhibitors/:exhibitor/connections.json.xml.csv?leads              | read         |                            |                          |                                  | 200       | connections[]                    | organizers_lead
GET    | /api/v1/[events/]:event/connections.json.xml.csv?leads_of_event                             | read         |                            |                          |                                  | 200       | connections[]                    | organizers_lead
GET    | /api/v1/[events/]:event/connections/:id                                                     | read         |                            |                          |                                  | 200       | connection                       | organizers_lead
POST   | [/api/v1]/devices/:access_token/connections/batch_create [/api/v1]/devices/connections/batch_create | access_token | connections[]              | new_lead                 | guest_uid author                 | 201       | connections[]                    | lead
GET    | [/api/v1]/devices/:access_token/connections [/api/v1]/devices/connections?own_leads         | access_token |                            |                          |                                  | 200       | connections[]                    | own_lead
PUT    | [/api/v1]/devices/:access_token/connections/:guest [/api/v1]/devices/connections/:guest     | access_token | connection                 | lead_change              |                                  | 200       | connection                       | own_lead
GET    | [/api/v1]/lead_guests/:guest?lead_guest                                                     | access_token |                            |                          |                                  | 200       | lead_guest                       | object
PUT    | [/api/v1]/[events/]:event/exhibitors/:access_token/activate_license                         | access_token | license                    | new_license              | signature                        | 200       | license                          | license
GET    | [/api/v1]/devices/:access_token/deciphered_qr_code [/api/v1]/devices/deciphered_qr_code?qr_content | access_token |                            |                          |                                  | 200       | license                          | deciphered

GET    | /api/v1/webhooks?whole_list                                                                 | admin        |                            |                          |                                  | 200       | webhooks[]                       | webhook
GET    | /api/v1/webhooks/:id                                                                        | admin        |                            |                          |                                  | 200       | webhook                          | webhook
POST   | /api/v1/webhooks                                                                            | admin        | webhook                    | webhook_input            | url                              | 201       | webhook                          | webhook
PUT    | /api/v1/webhooks/:id                                                                        | admin        | webhook                    | webhook_input            |                                  | 204       | webhook                          | webhook
DELETE | /api/v1/webhooks/:id                                                                        | admin        |                            |                          |                                  | 204       | webhook                          | webhook
GET    | /api/v1/webhooks/:webhook/deliveries?page_of_500                                            | admin        |                            |                          |                                  | 200       | deliveries[delivery]             | delivery
POST   | /api/v1/webhooks/:webhook/test                                                              | admin        |                            |                          |                                  | 201       | delivery                         | delivery
POST   | /api/v1/webhooks/:webhook/deliveries/:delivery/replay                                       | admin        |                            |                          |                                  | 201       | delivery                         | delivery
GET    | /api/v1/webhook_secret                                                                      | admin        |                            |                          |                                  | 200       | webhook_secret                   | webhook_secret
POST   | /api/v1/webhook_secret                                                                      | admin        |                            |                          |                                  | 201       | webhook_secret                   | webhook_secret

GET    | /api/v1/me                                                                                  | door         |                            |                          |                                  | 200       | token                            | me
GET    | /api/v1/tokens?whole_list                                                                   | admin        |                            |                          |                                  | 200       | tokens[]                         | token
POST   | /api/v1/tokens                                                                              | admin        | token                      | token_input              | name scope                       | 201       | token                            | shown_token
DELETE | /api/v1/tokens/:id                                                                          | admin        |                            |                          |                                  | 204       | token                            | token
GET    | /api/v1/[events/]:event/devices?whole_list                                                  | read         |                            |                          |                                  | 200       | devices[]                        | device
GET    | /api/v1/[events/]:event/devices/:id                                                         | read         |                            |                          |                                  | 200       | device                           | device
POST   | /api/v1/[events/]:event/devices                                                             | admin        | device                     | device_input             | name                             | 201       | device                           | shown_device
PUT    | /api/v1/[events/]:event/devices/:id                                                         | admin        | device                     | device_input             |                                  | 204       | device                           | device
DELETE | /api/v1/[events/]:event/devices/:id                                                         | admin        |                            |                          |                                  | 204       | device                           | device
POST   | /api/v1/[events/]:event/devices/:id/roll_code                                               | admin        | device                     | new_code                 |                                  | 200       | device                           | shown_device
POST   | /api/v1/device_codes/:code/exchange /api/v1/device_codes/exchange                           | code         |                            |                          |                                  | 201       | device                           | enrolled_device
PUT    | /api/v1/devices/heartbeat                                                                   | door         | device                     | device_report            |                                  | 200       | device                           | device_identity

GET    | /api/v1/staff_members?whole_list                                                            | admin        |                            |                          |                                  | 200       | staff_members[]                  | staff_member
GET    | /api/v1/staff_members/:id                                                                   | admin        |                            |                          |                                  | 200       | staff_member                     | staff_member
POST   | /api/v1/staff_members                                                                       | admin        | staff_member               | new_staff_member         | email role                       | 201       | staff_member                     | shown_staff_member
PUT    | /api/v1/staff_members/:id                                                                   | admin        | staff_member               | staff_member_input       |                                  | 204       | staff_member                     | staff_member
DELETE | /api/v1/staff_members/:id                                                                   | admin        |                            |                          |                                  | 204       | staff_member                     | staff_member
POST   | /api/v1/staff_members/:id/roll_link                                                         | admin        |                            |                          |                                  | 200       | staff_member                     | shown_staff_member
GET    | /api/v1/account                                                                             | read         |                            |                          |                                  | 200       | account                          | account
PUT    | /api/v1/account                                                                             | admin        | account                    | account_input            |                                  | 204       | account                          | account
PUT    | /api/v1/account/logo                                                                        | admin        |                            | svg png jpg              |                                  | 200       | account                          | account
DELETE | /api/v1/account/logo                                                                        | admin        |                            |                          |                                  | 204       | account                          | account
GET    | /api/v1/logos/:secret.svg.png.jpg                                                           | logo_id      |                            |                          |                                  | 200       |                                  |

GET    | /api/v1/contacts?contacts                                                                   | read         |                            |                          |                                  | 200       | contacts[]                       | contact
GET    | /api/v1/contacts/:id                                                                        | read         |                            |                          |                                  | 200       | contact                          | contact
POST   | /api/v1/contacts                                                                            | admin        | contact                    | contact_input            | email                            | 201       | contact                          | contact
PUT    | /api/v1/contacts/:id                                                                        | admin        | contact                    | contact_input            |                                  | 204       | contact                          | contact
DELETE | /api/v1/contacts/:id                                                                        | admin        |                            |                          |                                  | 204       | contact                          | contact
POST   | /api/v1/contacts/import?list_choice                                                         | admin        |                            | csv xlsx ods             |                                  | 200       | contact_import                   | contact_import
GET    | /api/v1/contacts/:contact/invitations?whole_list                                            | admin        |                            |                          |                                  | 200       | invitations[]                    | invitation
POST   | /api/v1/contacts/:contact/invitations                                                       | admin        | invitation                 | new_invitation           |                                  | 201       | invitation                       | shown_invitation
GET    | /api/v1/contact_fields?whole_list                                                           | read         |                            |                          |                                  | 200       | contact_fields[]                 | contact_field
GET    | /api/v1/contact_fields/:id                                                                  | read         |                            |                          |                                  | 200       | contact_field                    | contact_field
POST   | /api/v1/contact_fields                                                                      | admin        | contact_field              | contact_field_input      | key                              | 201       | contact_field                    | contact_field
PUT    | /api/v1/contact_fields/:id                                                                  | admin        | contact_field              | contact_field_input      |                                  | 204       | contact_field                    | contact_field
DELETE | /api/v1/contact_fields/:id                                                                  | admin        |                            |                          |                                  | 204       | contact_field                    | contact_field
GET    | /api/v1/oauth_apps?whole_list                                                               | admin        |                            |                          |                                  | 200       | oauth_apps[]                     | oauth_app
GET    | /api/v1/oauth_apps/:id                                                                      | admin        |                            |                          |                                  | 200       | oauth_app                        | oauth_app
POST   | /api/v1/oauth_apps                                                                          | admin        | oauth_app                  | oauth_app_input          | name redirect_uris               | 201       | oauth_app                        | shown_oauth_app
PUT    | /api/v1/oauth_apps/:id                                                                      | admin        | oauth_app                  | oauth_app_input          |                                  | 204       | oauth_app                        | oauth_app
DELETE | /api/v1/oauth_apps/:id                                                                      | admin        |                            |                          |                                  | 204       | oauth_app                        | oauth_app
POST   | /api/v1/oauth_apps/:id/roll_secret                                                          | admin        | oauth_app                  | secret_roll              |                                  | 201       | oauth_app                        | shown_oauth_app
GET    | /api/v1/audit_records.json.xml.csv?audit_records                                            | admin        |                            |                          |                                  | 200       | audit_records[]                  | audit_record
`

const ids = '_id:string'
const times = 'created_at:date updated_at:date'
const ofEvent = `event_id:string ${times}`

/**
 * What the names of the table stand for: `name:type` each. The types are string, integer, float, boolean, date, object (of the client's
 * own shape), any, words of which it is one, or another shape. `name?` may be absent, and `type?` is of what may be null. `=` gives the
 * default of what is not given, where that is not null, an empty list or an empty object; `(name)` is an older name that is read too.
 * `+shape` stands for the fields of a shape, of which those behind it may be declared anew, and `...` for further members.
 */
export const shapes: Readonly<Record<string, string>> = {
  page_of_500: 'page:integer=1 per_page:integer=500',
  page_of_50: 'page:integer=1 per_page:integer=50',
  whole_list: 'page:integer=1',
  named: 'name:string',

  events: '+whole_list search:string? archived:boolean',
  event_input: `title:string description:string? locale:string=en organizer:string? location:string? plan:string=pro start_date:date? end_date:date?
    timezone:string=UTC day_starts_at:string=00:00 network_enabled(mobinetwork_enabled):boolean=true badge_complete_hook_url:string? reply_to_email:string?
    lead_guest_fields[]:string=email,first_name,last_name,company_name,uid qr_code_ciphering_enabled:boolean=false
    device_qr_code_key_enabled:boolean=false personal_data_days?:integer? platform_event_id:string?`,
  event_changes: '+event_input archived:boolean',
  new_event: '+event_input account_id:string',
  event: `${ids} +new_event archived_at:date? guest_count:integer check_in_count:integer signature_count:integer ${times}`,
  event_copy: 'title?:string start_date?:date? end_date?:date?',
  archive_page: 'from_account_id:string documents:string seal:string',
  archive_page_of_event: 'event_id:string collection:string +archive_page',
  event_import: `${ids} title:string begun_at:date`,
  live: 'statistics:boolean=false last_event_id:string',
  snapshot: 'since:string',
  qr_content: 'content:string',
  scan_times: 'since:date by_accesspoint[accesspoint]:accesspoint_times by_device[device]:device_times',
  accesspoint_times: 'accesspoint_id:string +scan_waits',
  device_times: 'token_id:string +scan_waits',
  scan_waits: 'in_gatehouse:step_times at_device:device_step_times',
  step_times:
    'scan_count:integer median_ms:integer? p95_ms:integer? worst_ms:integer? slow_count:integer unanswered_count:integer',
  device_step_times: '+step_times slow_on_network_count:integer alone_count:integer',
  scan_time_report: 'report_key:string scans[scan]:reported_scan',
  reported_scan: 'accesspoint_id:string ago_ms:integer waited_ms?:integer? gatehouse_ms?:integer?',
  counted_scans: 'count:integer',
  deciphered: 'content:string?',
  qr_code_key: 'qr_code_ciphering_key:string? qr_code_ciphering_iv:string?',
  statistics: `guest_count:integer check_in_count:integer signature_count:integer checked_in_guest_count:integer person_count:integer inside_count:integer
    by_area[area]:area_count by_status[status]:status_count by_accesspoint[accesspoint]:accesspoint_count by_guest_category[guest-category]:category_count
    timeline[minute]:minute_count`,
  area_count: 'area_id:string inside_count:integer capacity:integer? peak_count:integer',
  status_count: 'access_status:integer count:integer',
  accesspoint_count: 'accesspoint_id:string granted:integer refused:integer unique_guests:integer person_count:integer',
  confirmation: 'title:string',
  category_count: 'guest_category_id:string guest_count:integer checked_in_guest_count:integer person_count:integer',
  minute_count: 'minute:date granted:integer refused:integer',

  guest_flags: 'guest_metadata:boolean=false qrcode_url:boolean=false badges:boolean=false files:boolean=false',
  guests: `+page_of_500 +guest_flags uid:string search:string? category[category]:string since:date before:date updated_since:date
    updated_before:date checked_in:boolean mailed:boolean has_email:boolean rsvp_status:not_replied|accepted|declined
    sort:last_name|-last_name|created_at|-created_at|checked_in_at|-checked_in_at source:import|api|console|walk_in|invitation|registration`,
  guest_identity: `guest_category_id:string email:string? first_name:string? last_name:string? company_name:string? position:string?
    phone_number:string? uid:string? message:string? party_size:integer=1 rsvp_status:not_replied|accepted|declined=not_replied
    status:registered|imported|invited|declined|unfinished|email_sent|email_opened|email_clicked|email_unreachable=registered
    registered_at:date? order_uid:string? host_email:string?`,
  guest_input: `+guest_identity guest_metadata[guest-metadatum]:metadatum
    access_privileges_attributes[access-privilege]:access_privilege`,
  new_guest: '+guest_input promo_code:string?',
  keyed_guest: '+new_guest idempotency_key:string?',
  created_guest: '+guest created:boolean',
  ids,
  changed_guest: '+ids +guest_input',
  guest: `${ids} +guest_identity uid:string registered_at:date promo_code:string? access_privileges[]:access_privilege
    source?:import|api|console|walk_in|invitation|registration checked_in_at:date? badge_completed:boolean
    badge_url:string? qrcode_url?:string? guest_metadata?[guest-metadatum]:metadatum badges?[]:badge files?[]:file ${ofEvent}`,
  metadatum: 'name:string value:string?',
  access_privilege: 'access_once:boolean=false accesspoint_id:string',
  badge_template_input: 'name:string +badge_look',
  badge_look: `width_mm:integer=105 height_mm:integer=148 lines[]:badge_line=name/32/bold,position/14/regular,company_name/18/regular shows_qr_code:boolean=true
    colour:string=#1e293b fold:none|middle=none`,
  badge_drawing_input: '+badge_look is_usual:boolean=false guest_id?:string badge_template_id?:string',
  badge_drawing: 'svg:string guest_id:string? lines[line]:badge_line_size',
  badge_line_size: 'text:string size:integer printed_size:float',
  of_guest: 'guest_id:string',
  printed: 'category[]:string checked_in:boolean',
  wallet_pass: 'apple_url:string? google_url:string?',
  badge_line: 'field:string size:integer=16 weight:regular|bold=regular',
  badge_template: `${ids} +badge_template_input logo_id:string? ${ofEvent}`,
  badge: `${ids} name:string url:string content_type:string created_at:date`,
  file: 'key:string label:string filename:string content_type:string size:integer url:string created_at:date',
  upload: 'filename:string',

  person: 'by:everybody|guest_id|guest_uid|email value:string?',
  personal_documents: '+person by:everybody|guest_id|guest_uid|email=everybody after:string',
  personal_documents_page: 'data:string items[]:any next:string?',
  erasure_input: '+person',
  erasure: `${ids} event_id:string cause:request|retention everybody:boolean state:running|done report[entry]:report_entry
    unsearched[entry]:texts_entry created_at:date completed_at:date?`,
  report_entry: 'data:string outcome:deleted|blanked|kept count:integer reason:string?',
  texts_entry: 'data:string fields[field]:string count:integer',

  category_input: `name:string badge_enabled:boolean=false badge_qr_code_enabled:boolean=false
    badge_ecard_in_qr_code_enabled:boolean=false badge_template_id:string? confirmation_email_enabled:boolean=false rsvp_enabled:boolean=false
    moderated_registrations_enabled:boolean=false device_names_enabled:boolean=false walk_in_enabled:boolean=false
    registration_enabled:boolean=false registration_limit:integer? registration_opens_at:date? registration_closes_at:date?
    registration_party_max:integer=1 registration_confirms_email:boolean=true form_identity_mapping(wufoo_identity_mapping):object
    form_checkin_point_mapping(wufoo_checkin_point_mapping):object guest_category_accesspoints[]:category_link`,
  category_link:
    'accesspoint_id:string max_allowed_accesses(access_once):integer=-1 valid_from:date? valid_until:date? period:event|day=event reentry:boolean=false',
  guest_category: `${ids} +category_input guest_category_accesspoints[]:shown_link ${ofEvent}`,
  shown_link:
    'max_allowed_accesses:integer valid_from:date? valid_until:date? period:event|day reentry:boolean accesspoint_id:string guest_category_id:string',
  guest_field_input: `key:string label:string? type:text|file|value_list=text available_values[]:string
    use_in_export:boolean=false use_in_registration:boolean=false is_required:boolean=false on_device:boolean=false`,
  guest_field: `${ids} +guest_field_input object_id:string ${ofEvent}`,

  accesspoint_input: '+named area_id:string? direction:in|out=in signature_enabled:boolean=false',
  area_input: '+named capacity:integer?',
  area: `${ids} +area_input inside_count:integer ${ofEvent}`,
  accesspoint: `${ids} +accesspoint_input guest_category_accesspoints[]:shown_link ${ofEvent}`,
  links: '+whole_list guest_category_id:string accesspoint_id:string',
  link_input: '+category_link guest_category_id:string',
  link: `${ids} id:string +link_input`,
  new_scan: 'accesspoint_id:string guest_uid:string access_stamp:date?',
  new_check_in: '+new_scan persons?:integer decided_offline:integer?',
  check_ins:
    '+page_of_500 guest_uid:string accesspoint_id:string access_status:integer? since:date before:date conflicts:boolean=false',
  check_in: `${ids} +new_scan access_stamp:date access_status:integer reason:string? persons:integer direction?:string persons_left?:integer
    granted_before?:granted_before opens_at?:date persons_too_many?:integer decided_offline?:integer stamped_ahead?:boolean area_full?:boolean ${ofEvent}`,
  granted_before: 'access_stamp:date accesspoint_id:string persons:integer',
  new_walk_in: `+guest_identity guest_metadata[guest-metadatum]:metadatum accesspoint_id:string access_stamp:date? persons?:integer`,
  walk_in: 'guest:guest access_control:check_in',
  new_signature: '+new_scan points:points',
  points: 'width:string height:string lines[]:line',
  line: 'x1:string y1:string x2:string y2:string stroke-width?:string',
  signature: `${ids} +new_signature access_stamp:date ${ofEvent}`,
  listed_signature: '+signature points?:points',

  promo_code_input: `text:string label:string? amount:float=0 percentage_of_total:boolean=false max_usage:integer=-1
    is_enabled:boolean=true start_date:date? end_date:date? timezone:string=UTC`,
  promo_code: `${ids} +promo_code_input times_used:integer searchable_keywords[]:string ${ofEvent}`,

  partner_input:
    'name:string uid:string? recipients_quota:integer=-1 disable_emails:boolean=false email:string? locale:string?',
  partner: `${ids} +partner_input nb_email_sent:integer nb_recipients:integer nb_recipients_email_sent:integer
    blacklisted_recipients:integer bounced_recipients:integer rejected_recipients:integer spammed_recipients:integer
    unsubscribed_recipients:integer blacklisted_percentage:float bounced_percentage:float rejected_percentage:float
    spammed_percentage:float unsubscribed_percentage:float partner_campaigns[]:partner_campaign ${ofEvent}`,
  invitation_type_input: 'name:string guest_category_id:string? subject:string? message:string? sender_name:string?',
  test_send_input: 'email:string subject:string? message:string? sender_name:string?',
  test_send: 'email:string subject:string',
  mailing_input: `name:string subject:string message:string sender_name:string? audience:audience=,,,,,
    send_at:date? ongoing:boolean=false closes_at:date?`,
  audience:
    'guest_category_ids[]:string rsvp_status:string? checked_in:boolean? mailed:boolean? not_in_mailing_id:string? invitation_type_id:string?',
  mailing: `${ids} +mailing_input started_at:date? is_sent:boolean paused_at:date? pause_reason:string? nb_recipients:integer nb_email_sent:integer
    nb_recipients_email_sent:integer unknown_recipients:integer blacklisted_recipients:integer bounced_recipients:integer
    rejected_recipients:integer spammed_recipients:integer unsubscribed_recipients:integer ${ofEvent}`,
  mailing_preview_input: 'guest_id:string?',
  mail_draft: 'subject:string? message:string?',
  mailing_draft: '+mail_draft guest_id:string? invitation_type_id:string?',
  invitation_type_draft: '+mail_draft locale:string?',
  audience_count: 'count:integer is_complete:boolean without_email:integer',
  mailing_preview: 'subject:string html:string text:string',
  mailing_test_send: '+test_send_input guest_id:string?',
  qr_code_mail: 'email:string subject:string',
  guest_mail: `_id:string kind:mailing|reminder|invitation|registration mailing_id:string? subject:string? invitation_type_id:string? partner_id:string?
    state:invitation_state reason:string? sent_at:date? opened_at:date? answer:string? registration_state:string? confirmed_at:date? created_at:date updated_at:date`,
  invitation_type: `${ids} +invitation_type_input ${ofEvent}`,
  new_partner_campaign: `partner_id:string quota:integer platform_promo_code_amount:float?
    platform_promo_code_percentage_of_total:boolean? platform_promo_code_text:string? platform_promo_code_max_usage:integer?`,
  partner_campaign: `${ids} +new_partner_campaign platform_promo_code_id:string? invitation_type_id:string from_mailer:string?
    metadata:object nb_email_sent:integer reply_to:string? paused_at:date? pause_reason:string? ${times}`,
  new_partner_access_token: 'expires_at:date?',
  partner_access_token: `${ids} partner_id:string partner_campaign_id:string expires_at:date created_at:date`,
  page_link: `partner_id:string partner_campaign_id:string link_count:integer created_at:date? created_by:string? expires_at:date? sent_at:date?
    sent_to:string? opened_at:date?`,
  new_page_link: `partner_id:string partner_campaign_id:string link_count:integer created_at:date? created_by:string? expires_at:date sent_at:date?
    sent_to:string? opened_at:date? page_url:string qr_code:string`,
  page_link_recipient: 'email?:string',
  shown_partner_access_token: '+partner_access_token token:string page_url:string',

  partner_invitations: '+page_of_500 state:invitation_state registration_state:pending|approved|rejected',
  decision: 'registration_state:approved|rejected',
  registrations: '+page_of_500 registration_state:unconfirmed|pending|approved|rejected',
  registration_decision: 'registration_state:pending|approved|rejected',
  registration: `${ids} email:string first_name:string? last_name:string? guest_metadata[guest-metadatum]:metadatum answer:string?
    registration_state:unconfirmed|pending|approved|rejected registered_at:date? guest_category_id:string? party_size:integer partner_id:string?
    partner_campaign_id:string? ${ofEvent}`,
  registration_page:
    'guest_category_id:string url:string qr_code:string state:open|not_open|closed|full person_count:integer registration_limit:integer?',
  invitation_state: 'queued|sent|unknown|rejected|blocked|bounced|complained|unsubscribed',
  recipient:
    'email:string first_name:string? last_name:string? locale:string? guest_metadata[guest-metadatum]:metadatum',
  partner_invitation: `${ids} +recipient state:invitation_state reason:string? sent_at:date? opened_at:date? answer:string? registration_state:string?
    confirmed_at:date? partner_id:string?
    partner_campaign_id:string? ${times}`,
  own_campaign: `${ids} partner_id:string invitation_type_id:string quota:integer paused_at:date? pause_reason:string? used:integer left:integer nb_recipients:integer
    nb_recipients_email_sent:integer nb_email_sent:integer unknown_recipients:integer rejected_recipients:integer
    blacklisted_recipients:integer bounced_recipients:integer spammed_recipients:integer unsubscribed_recipients:integer`,
  mail_event_type: 'delivered|bounced|complained|unsubscribed|opened',
  mail_event_input: 'type:mail_event_type bounce_type:hard|soft=hard occurred_at:date? reason:string?',
  new_mail_event: 'invitation_id:string? message_id:string? +mail_event_input',
  mail_event: 'invitation_id:string +mail_event_input state:invitation_state',
  blocked_recipient_input: 'address:string note:string?',
  blocked_recipient: `${ids} +blocked_recipient_input ${ofEvent}`,
  suppressions: '+page_of_500 address:string',
  suppression: `${ids} address:string cause:bounced|complained event_id:string created_at:date`,

  exhibitor_input: 'name:string email:string? meta_data:object',
  exhibitor: `${ids} +exhibitor_input ${ofEvent}`,
  counted_exhibitor: '+exhibitor lead_count:integer',
  shown_exhibitor: '+exhibitor access_token:string',
  exhibitor_code: '+exhibitor code:string code_expires_at:date url:string qr_code:string',
  stand: '_id:string name:string event_id:string access_token:string',
  leads: 'page:integer per_page:integer',
  leads_of_event: '+page_of_500 exhibitor_id:string rating:integer search:string? since:date before:date',
  new_lead: 'guest_uid:string author:string comments[]:any',
  lead: `${ids} +new_lead exhibitor_id:string exhibitor_products[]:string ${times}`,
  judgement: 'note:string? rating:integer?',
  organizers_lead: '+lead +judgement guest_id:string event_id:string',
  own_leads: 'page:integer=1 since:date',
  own_lead: '+lead +judgement revision:integer guest?:object',
  lead_change: '+judgement revision:integer',
  lead_guest: 'access_token:string?',
  new_license: 'signature:string',
  license: `qr_code_ciphering_enabled:boolean qr_code_ciphering_key:string? qr_code_ciphering_iv:string? app:string`,

  event_type:
    'check_in.created|check_in.deleted|guest.created|guest.updated|guest.deleted|lead.created|badge.completed|partner_campaign.paused|registration.pending',
  delivery_type:
    'check_in.created|check_in.deleted|guest.created|guest.updated|guest.deleted|lead.created|badge.completed|partner_campaign.paused|registration.pending|test',
  webhook_input: `url:string event_types[]:event_type event_id:string? access_statuses[access-status]:integer payload:standard|legacy=standard is_enabled:boolean=true`,
  webhook: `${ids} +webhook_input account_id:string ${times}`,
  delivery: `${ids} webhook_id:string event_id:string? event_type:delivery_type state:pending|delivered|failed attempt_count:integer
    next_attempt_at:date? last_attempt_at:date? response_status:integer? error:string? ${times}`,
  webhook_secret: 'secret:string previous_expires_at:date?',

  token_input: 'name:string scope:admin|read|door event_id:string?',
  token: `${ids} +token_input account_id:string created_at:date`,
  shown_token: '+token token:string',
  me: 'id:string email:string? first_name:string? last_name:string? account_id:string account:string token_id:string +token_input name:string? role?:owner|organizer|door_manager|viewer created_at:date',
  device_input: 'kind:scanner|printer=scanner name:string accesspoint_ids[]:string',
  device_report: 'battery_level:integer? queue_length:integer? app_version:string? self_test?:self_test',
  self_test: `tested_at:date camera:passed|failed|skipped=skipped sound:passed|failed|skipped=skipped vibration:passed|failed|skipped=skipped
    network:passed|failed|skipped=skipped clock:passed|failed|skipped=skipped guest_list:passed|failed|skipped=skipped
    code:passed|failed|skipped=skipped`,
  device: `${ids} +device_input event_id:string code_expires_at:date? enrolled_at:date? last_seen_at:date? +device_report ${times}`,
  new_code: 'code_hours?:integer',
  shown_device: '+device code:string url:string qr_code:string',
  device_identity: `${ids} name:string? event_id:string? accesspoint_ids[]:string server_time:date`,
  enrolled_device: '+device_identity event_id:string token:string',
  staff_member_input: 'name:string? role:owner|organizer|door_manager|viewer event_id:string?',
  new_staff_member: 'email:string +staff_member_input',
  staff_member: `${ids} +new_staff_member last_signed_in_at:date? ${times}`,
  shown_staff_member: '+staff_member sign_in_url:string',
  account_input:
    'name:string? color:string? locale:string? reply_to_email:string? sso_host:string? answers_updates:boolean=false',
  account: `${ids} slug:string +account_input logo_url:string? created_at:date`,

  contacts: '+page_of_500 email:string search:string?',
  contact_identity: 'email:string first_name:string? last_name:string? is_blocked:boolean=false ...',
  contact_input: '+contact_identity password:string?',
  contact: `${ids} +contact_identity has_password:boolean ${times}`,
  contact_import: `created:integer already_there:integer refused:integer left:integer refused_lines[]:refused_line
    columns[]:column read_as:string? notices[]:string`,
  list_choice: 'encoding?:string sheet?:string',
  refused_line: 'line:integer errors:object',
  column: 'header:string? field:string?',
  new_invitation: 'delivery:email|link=email locale:string?',
  invitation: 'contact_id:string created_at:date expires_at:date',
  shown_invitation: '+invitation delivery:email|link url?:string',
  contact_field_input: 'key:string label:string? type:text|value_list=text available_values[]:string',
  contact_field: `${ids} +contact_field_input account_id:string ${times}`,
  oauth_app_input: 'name:string redirect_uris[]:string is_strict:boolean=false',
  oauth_app: `${ids} +oauth_app_input client_id:string old_secret_expires_at?:date ${times}`,
  shown_oauth_app: '+oauth_app client_secret:string',
  secret_roll: 'overlap_seconds:integer=86400',
  audit_records:
    '+page_of_500 kind:audit_kind contact_id:string event_id:string token_id:string resource_id:string action:string since:date before:date',
  audit_kind: `sign_in|sign_in_failed|sign_out|code_sent|consent|revocation|password_changed|contact_blocked|contact_unblocked|passkey_created|passkey_renamed|passkey_deleted|act`,
  audit_record: `${ids} account_id:string kind:audit_kind contact_id:string? client_id:string? address:string? action:string? resource_id:string?
    event_id:string? token_id:string? token_name:string? changed_fields[]:string items:integer? outcome:done|unknown created_at:date`,
}

/** The media types of files, by the suffix of a path. */
export const mediaTypes: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  html: 'text/html; charset=utf-8',
  pkpass: 'application/vnd.apple.pkpass',
  tgz: 'application/gzip',
}

/**
 * The endpoints of single sign-on below an account's address; `root` where they are at the gateway's root too. Takes are parameters of the
 * query or fields of a form, `!` those that are needed.
 */
export const ssoTable = `
Method | Path                              | Root | Takes                                                                                           | Status | Answer

GET    | /oauth/authorize                  | root | response_type! client_id! redirect_uri! scope state code_challenge code_challenge_method locale | 303    |
POST   | /oauth/token                      | root | grant_type! code redirect_uri client_id client_secret code_verifier refresh_token               | 200    | access_token:string token_type:string expires_in:integer scope:string created_at:integer
GET    | /api/v1/me                        | root |                                                                                                 | 200    | id:string email:string first_name:string? last_name:string?
GET    | /contacts/sign_out                | root | redirect_uri                                                                                    | 303    |
GET    | /.well-known/openid-configuration |      |                                                                                                 | 200    | issuer:string authorization_endpoint:string token_endpoint:string jwks_uri:string
GET    | /oauth/keys                       |      |                                                                                                 | 200    | keys:array
GET    | /oauth/userinfo                   | root |                                                                                                 | 200    | sub:string
POST   | /oauth/revoke                     | root | token! client_id client_secret                                                                  | 200    |
POST   | /oauth/introspect                 | root | token! client_id client_secret                                                                  | 200    | active:boolean
GET    | /oauth/logout                     | root | id_token_hint client_id post_logout_redirect_uri state                                          | 303    |
`
