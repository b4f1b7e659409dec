// Written by `npm run openapi` from gateway/openapi/openapi.json.

export interface paths {
    "/api/v1/events/{event_id}/erasures.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Erasures of personal data in an event, newest first
         * @description For tokens of the scope `admin`. Also at `/api/v1/{event_id}/erasures.{format}`.
         */
        get: operations["erasures_list"];
        put?: never;
        /**
         * Erase the personal data of one person in an event, for good, or of everybody
         * @description Erase the personal data of one person in an event, for good, or of everybody. By an e-mail address it deletes the contact of the account too, unless the token is bound to an event. Counts stay as they are. The answer waits for it some seconds.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `erasure`. Also at `/api/v1/{event_id}/erasures.{format}`.
         */
        post: operations["erasures_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/erasures/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4101c */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One erasure, with its report
         * @description For tokens of the scope `admin`. Also at `/api/v1/{event_id}/erasures/{id}.{format}`.
         */
        get: operations["erasures_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events of the account
         * @description Events of the account; for a token bound to an event, that one.
         *
         *      For tokens of the scope `admin`, `read`, `door`.
         */
        get: operations["events_list"];
        put?: never;
        /**
         * Create an event in the account of the token
         * @description For tokens of the scope `admin`. The body may be wrapped in `event`.
         */
        post: operations["events_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * One event
         * @description For tokens of the scope `admin`, `read`, `door`.
         */
        get: operations["events_read"];
        /**
         * Change fields of an event
         * @description For tokens of the scope `admin`. The body may be wrapped in `event`.
         */
        put: operations["events_update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guest_categories.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Guest categories of an event
         * @description For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/guest_categories.{format}`.
         */
        get: operations["guest_categories_list"];
        put?: never;
        /**
         * Create a guest category, with its links
         * @description Create a guest category, with its links: all of it or nothing.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `guest_category`. Also at `/api/v1/{event_id}/guest_categories.{format}`, `/api/v1/events/{event_id}/guest_category.{format}`, `/api/v1/{event_id}/guest_category.{format}`.
         */
        post: operations["guest_categories_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guest_categories/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41003 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One guest category
         * @description For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/guest_categories/{id}.{format}`.
         */
        get: operations["guest_categories_read"];
        /**
         * Update a guest category
         * @description Update a guest category; links, if sent, replace the existing ones.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `guest_category`. Also at `/api/v1/{event_id}/guest_categories/{id}.{format}`.
         */
        put: operations["guest_categories_update"];
        post?: never;
        /**
         * Delete a guest category and its links
         * @description Delete a guest category and its links; 409 while it has guests.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/guest_categories/{id}.{format}`.
         */
        delete: operations["guest_categories_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guest_fields.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Guest fields of an event
         * @description For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/guest_fields.{format}`.
         */
        get: operations["guest_fields_list"];
        put?: never;
        /**
         * Create a guest field
         * @description For tokens of the scope `admin`. The body may be wrapped in `guest_field`. Also at `/api/v1/{event_id}/guest_fields.{format}`.
         */
        post: operations["guest_fields_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guest_fields/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41004 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One guest field
         * @description For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/guest_fields/{id}.{format}`.
         */
        get: operations["guest_fields_read"];
        /**
         * Change fields of a guest field
         * @description For tokens of the scope `admin`. The body may be wrapped in `guest_field`. Also at `/api/v1/{event_id}/guest_fields/{id}.{format}`.
         */
        put: operations["guest_fields_update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guest_fields/batch_create.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create several guest fields
         * @description Create several guest fields; each is judged by itself.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `guest_fields`. Also at `/api/v1/{event_id}/guest_fields/batch_create.{format}`.
         */
        post: operations["guest_fields_batch_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guests.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Guests, newest creation first
         * @description Guests, newest creation first; all filters can be combined.
         *
         *      For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/guests.{format}`.
         */
        get: operations["guests_list"];
        put?: never;
        /**
         * Register a guest
         * @description For tokens of the scope `admin`. The body may be wrapped in `guest`. Also at `/api/v1/{event_id}/guests.{format}`.
         */
        post: operations["guests_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guests/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One guest
         * @description One guest; each flag adds the matching data.
         *
         *      For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/guests/{id}.{format}`.
         */
        get: operations["guests_read"];
        /**
         * Change fields of a guest
         * @description Change fields of a guest; lists are replaced, not merged.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `guest`. Also at `/api/v1/{event_id}/guests/{id}.{format}`.
         */
        put: operations["guests_update"];
        post?: never;
        /**
         * Delete a guest for good
         * @description Delete a guest for good; its check-ins stay.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/guests/{id}.{format}`.
         */
        delete: operations["guests_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/personal_documents.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Export the personal data of one person in an event, or of everybody
         * @description Export the personal data of one person in an event, or of everybody: one kind of data in each answer. Ask again with `after`, until `next` is null.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/personal_documents.{format}`.
         */
        get: operations["personal_documents_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/statistics.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Exact counts of an event
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/statistics.{format}`.
         */
        get: operations["statistics_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/accesspoints.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Check-in points of an event
         * @description For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/accesspoints.{format}`.
         */
        get: operations["accesspoints_list"];
        put?: never;
        /**
         * Create a check-in point
         * @description For tokens of the scope `admin`. The body may be wrapped in `accesspoint`. Also at `/api/v1/{event_id}/accesspoints.{format}`.
         */
        post: operations["accesspoints_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/accesspoints/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41006 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One check-in point
         * @description For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/accesspoints/{id}.{format}`.
         */
        get: operations["accesspoints_read"];
        /**
         * Change fields of a check-in point
         * @description For tokens of the scope `admin`. The body may be wrapped in `accesspoint`. Also at `/api/v1/{event_id}/accesspoints/{id}.{format}`.
         */
        put: operations["accesspoints_update"];
        post?: never;
        /**
         * Delete a check-in point and its links
         * @description Delete a check-in point and its links; its check-ins stay.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/accesspoints/{id}.{format}`.
         */
        delete: operations["accesspoints_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/access_controls.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Check-ins, highest access stamp first
         * @description Check-ins, highest access stamp first. A device which is bound to check-in points finds its own among the newest 10,000.
         *
         *      For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/access_controls.{format}`.
         */
        get: operations["access_controls_list"];
        put?: never;
        /**
         * Check a guest in
         * @description Check a guest in. A refusal is a stored check-in too: look at access_status.
         *
         *      For tokens of the scope `admin`, `door`. The body may be wrapped in `access_control`. Also at `/api/v1/{event_id}/access_controls.{format}`.
         */
        post: operations["access_controls_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/access_controls/batch_create.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check guests in by the batch
         * @description Check guests in by the batch; an item sent again with its access_stamp is counted once.
         *
         *      For tokens of the scope `admin`, `door`. The body may be wrapped in `access_controls`. Also at `/api/v1/{event_id}/access_controls/batch_create.{format}`.
         */
        post: operations["access_controls_batch_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/access_controls/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41008 */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a check-in for good
         * @description Delete a check-in for good; a granted one gives its access back.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/access_controls/{id}.{format}`.
         */
        delete: operations["access_controls_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guest_category_accesspoints.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Links of an event, of a category or of a check-in point
         * @description For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/guest_category_accesspoints.{format}`.
         */
        get: operations["guest_category_accesspoints_list"];
        put?: never;
        /**
         * Give a category access to a check-in point
         * @description For tokens of the scope `admin`. The body may be wrapped in `guest_category_accesspoint`. Also at `/api/v1/{event_id}/guest_category_accesspoints.{format}`.
         */
        post: operations["guest_category_accesspoints_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guest_category_accesspoints/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41007 */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Change a link
         * @description For tokens of the scope `admin`. The body may be wrapped in `guest_category_accesspoint`. Also at `/api/v1/{event_id}/guest_category_accesspoints/{id}.{format}`.
         */
        put: operations["guest_category_accesspoints_update"];
        post?: never;
        /**
         * Take the access away
         * @description For tokens of the scope `admin`. Also at `/api/v1/{event_id}/guest_category_accesspoints/{id}.{format}`.
         */
        delete: operations["guest_category_accesspoints_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/signatures.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Signatures, highest access stamp first
         * @description Signatures, highest access stamp first. Beyond 10 MiB a page has no more points: ask for smaller ones.
         *
         *      For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/signatures.{format}`.
         */
        get: operations["signatures_list"];
        put?: never;
        /**
         * Record a signature
         * @description For tokens of the scope `admin`, `door`. The body may be wrapped in `signature`. Also at `/api/v1/{event_id}/signatures.{format}`.
         */
        post: operations["signatures_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/signatures/batch_create.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record signatures by the batch
         * @description Record signatures by the batch; an item sent again with its access_stamp is kept once.
         *
         *      For tokens of the scope `admin`, `door`. The body may be wrapped in `signatures`. Also at `/api/v1/{event_id}/signatures/batch_create.{format}`.
         */
        post: operations["signatures_batch_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/snapshot.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * What a device needs to know to decide without a network
         * @description What a device needs to know to decide without a network: check-in points, guest categories, guests by hashes of their uids, rights, and how often each guest was let in.
         *
         *      For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/snapshot.{format}`.
         */
        get: operations["snapshots_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/promo_codes.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Discount codes of an event, newest creation first
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/promo_codes.{format}`.
         */
        get: operations["promo_codes_list"];
        put?: never;
        /**
         * Create a discount code
         * @description For tokens of the scope `admin`. The body may be wrapped in `promo_code`. Also at `/api/v1/{event_id}/promo_codes.{format}`.
         */
        post: operations["promo_codes_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/promo_codes/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100a */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One discount code
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/promo_codes/{id}.{format}`.
         */
        get: operations["promo_codes_read"];
        /**
         * Change fields of a discount code
         * @description Change fields of a discount code; guests who used it keep it with the text that they typed.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `promo_code`. Also at `/api/v1/{event_id}/promo_codes/{id}.{format}`.
         */
        put: operations["promo_codes_update"];
        post?: never;
        /**
         * Delete a discount code for good
         * @description Delete a discount code for good; guests who used it keep its text.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/promo_codes/{id}.{format}`.
         */
        delete: operations["promo_codes_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/blocked_recipients.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Blocked recipients of an event, in the order of their creation
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/blocked_recipients.{format}`.
         */
        get: operations["blocked_recipients_list"];
        put?: never;
        /**
         * Block a recipient
         * @description Block a recipient; 422 on address where it is blocked already.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `blocked_recipient`. Also at `/api/v1/{event_id}/blocked_recipients.{format}`.
         */
        post: operations["blocked_recipients_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/blocked_recipients/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41010 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One blocked recipient
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/blocked_recipients/{id}.{format}`.
         */
        get: operations["blocked_recipients_read"];
        /**
         * Change fields of a blocked recipient
         * @description For tokens of the scope `admin`. The body may be wrapped in `blocked_recipient`. Also at `/api/v1/{event_id}/blocked_recipients/{id}.{format}`.
         */
        put: operations["blocked_recipients_update"];
        post?: never;
        /**
         * Unblock a recipient, for the e-mails which are yet to be sent
         * @description For tokens of the scope `admin`. Also at `/api/v1/{event_id}/blocked_recipients/{id}.{format}`.
         */
        delete: operations["blocked_recipients_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/invitation_types.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Invitation types of an event
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/invitation_types.{format}`.
         */
        get: operations["invitation_types_list"];
        put?: never;
        /**
         * Create an invitation type
         * @description For tokens of the scope `admin`. The body may be wrapped in `invitation_type`. Also at `/api/v1/{event_id}/invitation_types.{format}`.
         */
        post: operations["invitation_types_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/invitation_types/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One invitation type
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/invitation_types/{id}.{format}`.
         */
        get: operations["invitation_types_read"];
        /**
         * Change fields of an invitation type
         * @description For tokens of the scope `admin`. The body may be wrapped in `invitation_type`. Also at `/api/v1/{event_id}/invitation_types/{id}.{format}`.
         */
        put: operations["invitation_types_update"];
        post?: never;
        /**
         * Delete an invitation type
         * @description Delete an invitation type; 409 while it has partner campaigns.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/invitation_types/{id}.{format}`.
         */
        delete: operations["invitation_types_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mail_events.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what happened to e-mails of invitations, of any event of the account, in any order and as often as you like
         * @description Report what happened to e-mails of invitations, of any event of the account, in any order and as often as you like: each thing counts once.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `mail_events`.
         */
        post: operations["mail_events_batch_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/partners/{partner_access_token}/campaign.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example gh_partner_not-a-real-secret-but-as-long-as-one-is-000 */
                partner_access_token: string;
            };
            cookie?: never;
        };
        /**
         * Quota and counters of the campaign of a partner access token
         * @description Takes no `auth_token`: `partner_access_token` identifies the caller, or is sent as `Authorization: Bearer` to the path without it. Also at `/api/v1/partners/campaign.{format}`.
         */
        get: operations["own_campaigns_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/partners/{partner_id}/partner_campaigns/{partner_campaign_id}/partner_access_tokens.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100b */
                partner_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                partner_campaign_id: string;
            };
            cookie?: never;
        };
        /**
         * Access tokens of a campaign, newest first, without the secrets
         * @description For tokens of the scope `admin`. Also at `/api/v1/{event_id}/partners/{partner_id}/partner_campaigns/{partner_campaign_id}/partner_access_tokens.{format}`.
         */
        get: operations["partner_access_tokens_list"];
        put?: never;
        /**
         * Issue an access token for a campaign
         * @description Issue an access token for a campaign; `token` and `page_url` are shown this once.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `partner_access_token`. Also at `/api/v1/{event_id}/partners/{partner_id}/partner_campaigns/{partner_campaign_id}/partner_access_tokens.{format}`.
         */
        post: operations["partner_access_tokens_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/partners/{partner_id}/partner_campaigns/{partner_campaign_id}/partner_access_tokens/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100b */
                partner_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                partner_campaign_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100e */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an access token, at once
         * @description For tokens of the scope `admin`. Also at `/api/v1/{event_id}/partners/{partner_id}/partner_campaigns/{partner_campaign_id}/partner_access_tokens/{id}.{format}`.
         */
        delete: operations["partner_access_tokens_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                invitation_type_id: string;
            };
            cookie?: never;
        };
        /**
         * Campaigns of an invitation type, by their partners' names
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns.{format}`.
         */
        get: operations["partner_campaigns_list"];
        put?: never;
        /**
         * Attach a partner to an invitation type
         * @description Attach a partner to an invitation type; 422 on partner_id where it is already.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `partner_campaign`. Also at `/api/v1/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns.{format}`.
         */
        post: operations["partner_campaigns_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns/{id}/resume.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                invitation_type_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a campaign which has paused itself send again
         * @description Let a campaign which has paused itself send again; what comes back counts anew from now.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns/{id}/resume.{format}`.
         */
        post: operations["partner_campaigns_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                invitation_type_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a campaign and its access tokens
         * @description Delete a campaign and its access tokens; its discount code is disabled.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns/{id}.{format}`.
         */
        delete: operations["partner_campaigns_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns/{partner_campaign_id}/invitations.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                invitation_type_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                partner_campaign_id: string;
            };
            cookie?: never;
        };
        /**
         * Invitations of a campaign, newest first
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns/{partner_campaign_id}/invitations.{format}`.
         */
        get: operations["partner_invitations_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/partners/{partner_access_token}/invitations.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example gh_partner_not-a-real-secret-but-as-long-as-one-is-000 */
                partner_access_token: string;
            };
            cookie?: never;
        };
        /**
         * Invitations of the campaign of a partner access token, newest first
         * @description Takes no `auth_token`: `partner_access_token` identifies the caller, or is sent as `Authorization: Bearer` to the path without it. Also at `/api/v1/partners/invitations.{format}`.
         */
        get: operations["partner_invitations_list_own"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/partners/{partner_access_token}/invitations/batch_create.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example gh_partner_not-a-real-secret-but-as-long-as-one-is-000 */
                partner_access_token: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite recipients by e-mail
         * @description Invite recipients by e-mail; an address which the campaign has already gives its invitation, unchanged; beyond the quota the item has an error on quota.
         *
         *      Takes no `auth_token`: `partner_access_token` identifies the caller, or is sent as `Authorization: Bearer` to the path without it. The body may be wrapped in `invitations`. Also at `/api/v1/partners/invitations/batch_create.{format}`.
         */
        post: operations["partner_invitations_batch_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/partners.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Partners of an event, with their campaigns
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/partners.{format}`.
         */
        get: operations["partners_list"];
        put?: never;
        /**
         * Create a partner
         * @description For tokens of the scope `admin`. The body may be wrapped in `partner`. Also at `/api/v1/{event_id}/partners.{format}`.
         */
        post: operations["partners_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/partners/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100b */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One partner, by its _id or its uid
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/partners/{id}.{format}`.
         */
        get: operations["partners_read"];
        /**
         * Change fields of a partner, by its _id or its uid
         * @description For tokens of the scope `admin`. The body may be wrapped in `partner`. Also at `/api/v1/{event_id}/partners/{id}.{format}`.
         */
        put: operations["partners_update"];
        post?: never;
        /**
         * Delete a partner with its campaigns and their access tokens
         * @description Delete a partner with its campaigns and their access tokens; their discount codes are disabled.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/partners/{id}.{format}`.
         */
        delete: operations["partners_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns/{partner_campaign_id}/invitations/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                invitation_type_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                partner_campaign_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100f */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Admit or refuse a recipient who has accepted, where registrations are moderated
         * @description Admit or refuse a recipient who has accepted, where registrations are moderated. Approving makes the guest, also after a rejection; 409 where the recipient has not accepted, or is a guest already.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `partner_invitation`. Also at `/api/v1/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns/{partner_campaign_id}/invitations/{id}.{format}`.
         */
        put: operations["registrations_decide"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/suppressions.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Addresses to which an event sends no more e-mails, newest first
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/suppressions.{format}`.
         */
        get: operations["suppressions_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/suppressions/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41011 */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Lift a suppression after a bounce, for invitations which are yet to be sent
         * @description Lift a suppression after a bounce, for invitations which are yet to be sent; 409 after a complaint.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/suppressions/{id}.{format}`.
         */
        delete: operations["suppressions_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/invitation_types/{id}/test_send.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4e0a0 */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invitation type's e-mail with example values to an address, up to 20 an hour
         * @description Send an invitation type's e-mail with example values to an address, up to 20 an hour; 422 with what the mail server says if it refuses it, 503 if it does not answer.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `test_send`. Also at `/api/v1/{event_id}/invitation_types/{id}/test_send.{format}`.
         */
        post: operations["test_sends_send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/exhibitors/{exhibitor_id}/connections.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41012 */
                exhibitor_id: string;
            };
            cookie?: never;
        };
        /**
         * Leads of an exhibitor, newest first
         * @description Leads of an exhibitor, newest first: all of them, or one page. As CSV with what the event lets exhibitors see of each guest.
         *
         *      For tokens of the scope `admin`, `read`. As `.csv` it is an export, which staff members need the role `door_manager` for. Also at `/api/v1/{event_id}/exhibitors/{exhibitor_id}/connections.{format}`, `/events/{event_id}/exhibitors/{exhibitor_id}/connections.{format}`, `/{event_id}/exhibitors/{exhibitor_id}/connections.{format}`.
         */
        get: operations["connections_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/{access_token}/connections/batch_create.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example gh_exhibitor_not-a-real-secret-but-as-long-as-one-is-000 */
                access_token: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create leads
         * @description Create leads; a guest sent again returns the existing lead, unchanged, comments included.
         *
         *      Takes no `auth_token`: `access_token` identifies the caller. The body may be wrapped in `connections`. Also at `/devices/{access_token}/connections/batch_create.{format}`.
         */
        post: operations["connections_batch_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/exhibitors.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Exhibitors of an event, in the order of their creation
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/exhibitors.{format}`, `/events/{event_id}/exhibitors.{format}`, `/{event_id}/exhibitors.{format}`.
         */
        get: operations["exhibitors_list"];
        put?: never;
        /**
         * Create an exhibitor
         * @description Create an exhibitor; `access_token` is shown this once.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `exhibitor`. Also at `/api/v1/{event_id}/exhibitors.{format}`, `/events/{event_id}/exhibitors.{format}`, `/{event_id}/exhibitors.{format}`.
         */
        post: operations["exhibitors_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/exhibitors/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41012 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One exhibitor
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/exhibitors/{id}.{format}`, `/events/{event_id}/exhibitors/{id}.{format}`, `/{event_id}/exhibitors/{id}.{format}`.
         */
        get: operations["exhibitors_read"];
        /**
         * Change fields of an exhibitor
         * @description For tokens of the scope `admin`. The body may be wrapped in `exhibitor`. Also at `/api/v1/{event_id}/exhibitors/{id}.{format}`, `/events/{event_id}/exhibitors/{id}.{format}`, `/{event_id}/exhibitors/{id}.{format}`.
         */
        put: operations["exhibitors_update"];
        post?: never;
        /**
         * Delete an exhibitor for good, and its leads
         * @description Delete an exhibitor for good, and its leads; its access token is worth nothing at once.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/exhibitors/{id}.{format}`, `/events/{event_id}/exhibitors/{id}.{format}`, `/{event_id}/exhibitors/{id}.{format}`.
         */
        delete: operations["exhibitors_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/exhibitors/{id}/roll_token.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41012 */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give the exhibitor another `access_token`, shown this once
         * @description Give the exhibitor another `access_token`, shown this once; the one before is worth nothing at once.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/exhibitors/{id}/roll_token.{format}`, `/events/{event_id}/exhibitors/{id}/roll_token.{format}`, `/{event_id}/exhibitors/{id}/roll_token.{format}`.
         */
        post: operations["exhibitors_roll_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lead_guests/{guest_uid}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ada1815 */
                guest_uid: string;
            };
            cookie?: never;
        };
        /**
         * What the event lets exhibitors see of a guest
         * @description Takes no `auth_token`: `access_token` identifies the caller. Also at `/lead_guests/{guest_uid}.{format}`.
         */
        get: operations["lead_guests_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/exhibitors/{access_token}/activate_license.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example gh_exhibitor_not-a-real-secret-but-as-long-as-one-is-000 */
                access_token: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Activate the licence of an app on an exhibitor’s device
         * @description Takes no `auth_token`: `access_token` identifies the caller. The body may be wrapped in `license`. Also at `/api/v1/{event_id}/exhibitors/{access_token}/activate_license.{format}`, `/events/{event_id}/exhibitors/{access_token}/activate_license.{format}`, `/{event_id}/exhibitors/{access_token}/activate_license.{format}`.
         */
        put: operations["licenses_activate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guests/{guest_id}/badge/{secret}.{format}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
                /** @example not-a-real-secret-but-as-long-as-one-is-000 */
                secret: string;
            };
            cookie?: never;
        };
        /**
         * Leads to the badge of a guest
         * @description Leads to the badge of a guest; the address is the badge_url of the guest. 404 with Retry-After while the badge is being made.
         *
         *      Takes no `auth_token`: `secret` identifies the caller. Also at `/api/v1/{event_id}/guests/{guest_id}/badge/{secret}.{format}`.
         */
        get: operations["badges_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guests/{guest_id}/badge/{secret}/file.{format}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
                /** @example not-a-real-secret-but-as-long-as-one-is-000 */
                secret: string;
            };
            cookie?: never;
        };
        /**
         * The badge of a guest, A6
         * @description The badge of a guest, A6: where badge_url leads, and the url in the badges of the guest.
         *
         *      Takes no `auth_token`: `secret` identifies the caller. Also at `/api/v1/{event_id}/guests/{guest_id}/badge/{secret}/file.{format}`.
         */
        get: operations["badges_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guests/{guest_id}/files.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
            };
            cookie?: never;
        };
        /**
         * The files of a guest
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/guests/{guest_id}/files.{format}`.
         */
        get: operations["files_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guests/{guest_id}/files/{key}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
                /** @example portrait */
                key: string;
            };
            cookie?: never;
        };
        /**
         * A file of a guest
         * @description A file of a guest: what is known of it, or with the suffix of the file's type the file itself.
         *
         *      For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/guests/{guest_id}/files/{key}.{format}`.
         */
        get: operations["files_read"];
        /**
         * Store a file of a guest, in place of the one before
         * @description For tokens of the scope `admin`. Also at `/api/v1/{event_id}/guests/{guest_id}/files/{key}.{format}`.
         */
        put: operations["files_upload"];
        post?: never;
        /**
         * Delete a file of a guest for good
         * @description For tokens of the scope `admin`. Also at `/api/v1/{event_id}/guests/{guest_id}/files/{key}.{format}`.
         */
        delete: operations["files_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/guests/{guest_id}/qrcode/{secret}.{format}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
                /** @example not-a-real-secret-but-as-long-as-one-is-000 */
                secret: string;
            };
            cookie?: never;
        };
        /**
         * The QR code of a guest
         * @description The QR code of a guest; the address is the qrcode_url of the guest.
         *
         *      Takes no `auth_token`: `secret` identifies the caller. Also at `/api/v1/{event_id}/guests/{guest_id}/qrcode/{secret}.{format}`.
         */
        get: operations["qr_codes_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/deciphered_qr_code.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * What a scanned QR code says, where the event ciphers its codes
         * @description What a scanned QR code says, where the event ciphers its codes; a code which is not ciphered is given back.
         *
         *      For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/deciphered_qr_code.{format}`.
         */
        get: operations["qr_codes_decipher"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/qr_code_key.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * The key of ciphered QR codes, for a device which may read them without a network
         * @description The key of ciphered QR codes, for a device which may read them without a network: one of an event which has `device_qr_code_key_enabled` and ciphers. Null for others, and for all other tokens.
         *
         *      For tokens of the scope `admin`, `read`, `door`. Also at `/api/v1/{event_id}/qr_code_key.{format}`.
         */
        get: operations["qr_codes_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41015 */
                webhook_id: string;
            };
            cookie?: never;
        };
        /**
         * Deliveries, newest first
         * @description Deliveries, newest first; they are kept for 30 days unless the operator sets another time. An event's _id in the place of the webhook's stands for its badge_complete_hook_url.
         *
         *      For tokens of the scope `admin`.
         */
        get: operations["deliveries_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41015 */
                webhook_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41016 */
                delivery_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, at once, with all its attempts
         * @description For tokens of the scope `admin`.
         */
        post: operations["deliveries_replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook_secret.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account's signing secret
         * @description For tokens of the scope `admin`.
         */
        get: operations["webhook_secrets_read"];
        put?: never;
        /**
         * Make a new signing secret
         * @description Make a new signing secret; the one before signs along for a day.
         *
         *      For tokens of the scope `admin`.
         */
        post: operations["webhook_secrets_roll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Webhooks of the account, newest first
         * @description For tokens of the scope `admin`.
         */
        get: operations["webhooks_list"];
        put?: never;
        /**
         * Create a webhook
         * @description Create a webhook. 422 where the account has as many webhooks as it may.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `webhook`.
         */
        post: operations["webhooks_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41015 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One webhook
         * @description For tokens of the scope `admin`.
         */
        get: operations["webhooks_read"];
        /**
         * Change fields of a webhook
         * @description Change fields of a webhook; what waits for a disabled one is given up.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `webhook`.
         */
        put: operations["webhooks_update"];
        post?: never;
        /**
         * Delete a webhook with its deliveries
         * @description For tokens of the scope `admin`.
         */
        delete: operations["webhooks_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account of the token
         * @description For tokens of the scope `admin`, `read`.
         */
        get: operations["accounts_read"];
        /**
         * Change the account
         * @description Change the account: how its sign-in pages look, at which host they are, and what answers to changes hold.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `account`.
         */
        put: operations["accounts_update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tokens of the account, without the secrets
         * @description For tokens of the scope `admin`.
         */
        get: operations["tokens_list"];
        put?: never;
        /**
         * Issue a token
         * @description Issue a token; `token` is shown this once. 422 where the account has as many as it may.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `token`.
         */
        post: operations["tokens_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41017 */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token, at once
         * @description For tokens of the scope `admin`.
         */
        delete: operations["tokens_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who the token is, or which staff member is at the session
         * @description For tokens of the scope `admin`, `read`, `door`.
         */
        get: operations["tokens_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit_records.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Administrative acts, sign-ins, consents, revocations and changes of credentials, newest first
         * @description Administrative acts, sign-ins, consents, revocations and changes of credentials, newest first; kept for 90 days unless the operator sets another time.
         *
         *      For tokens of the scope `admin`.
         */
        get: operations["audit_records_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contact_fields.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Contact fields of the account
         * @description For tokens of the scope `admin`, `read`.
         */
        get: operations["contact_fields_list"];
        put?: never;
        /**
         * Create a contact field
         * @description Create a contact field: from then on contacts have it.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `contact_field`.
         */
        post: operations["contact_fields_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contact_fields/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41019 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One contact field
         * @description For tokens of the scope `admin`, `read`.
         */
        get: operations["contact_fields_read"];
        /**
         * Change a contact field
         * @description Change a contact field; under a new key contacts keep what they have there.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `contact_field`.
         */
        put: operations["contact_fields_update"];
        post?: never;
        /**
         * Delete a contact field, and what contacts have there
         * @description For tokens of the scope `admin`.
         */
        delete: operations["contact_fields_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Contacts of the account, newest creation first
         * @description For tokens of the scope `admin`, `read`.
         */
        get: operations["contacts_list"];
        put?: never;
        /**
         * Create a contact
         * @description Create a contact; contact fields are further members of the body.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `contact`.
         */
        post: operations["contacts_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41018 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One contact
         * @description For tokens of the scope `admin`, `read`.
         */
        get: operations["contacts_read"];
        /**
         * Change a contact
         * @description Change a contact. A new password or a block ends what is signed in.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `contact`.
         */
        put: operations["contacts_update"];
        post?: never;
        /**
         * Delete a contact for good
         * @description Delete a contact for good; what is signed in ends.
         *
         *      For tokens of the scope `admin`.
         */
        delete: operations["contacts_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/import.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the contacts of a CSV file or a workbook (.xlsx, .ods), at most 10000
         * @description Create the contacts of a CSV file or a workbook (.xlsx, .ods), at most 10000; sent again, nobody is made twice. Its columns are known by their headers: email, first_name, last_name, password, is_blocked in several languages, and contact fields by key or label.
         *
         *      For tokens of the scope `admin`.
         */
        post: operations["contacts_import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/devices.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Devices of an event, in the order of their creation
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/devices.{format}`.
         */
        get: operations["devices_list"];
        put?: never;
        /**
         * Create a device
         * @description Create a device; `code` is shown this once. 422 where the account has as many as it may.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `device`. Also at `/api/v1/{event_id}/devices.{format}`.
         */
        post: operations["devices_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/devices/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4101d */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One device
         * @description For tokens of the scope `admin`, `read`. Also at `/api/v1/{event_id}/devices/{id}.{format}`.
         */
        get: operations["devices_read"];
        /**
         * Rename a device, or change its check-in points
         * @description For tokens of the scope `admin`. The body may be wrapped in `device`. Also at `/api/v1/{event_id}/devices/{id}.{format}`.
         */
        put: operations["devices_update"];
        post?: never;
        /**
         * Revoke a device, at once
         * @description Revoke a device, at once. For 90 days its requests get a 401 which says so, and it shall forget what it holds.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/devices/{id}.{format}`.
         */
        delete: operations["devices_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/devices/{id}/roll_code.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4101d */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a device another code, shown this once
         * @description Give a device another code, shown this once; its token goes on until that code is exchanged.
         *
         *      For tokens of the scope `admin`. Also at `/api/v1/{event_id}/devices/{id}/roll_code.{format}`.
         */
        post: operations["devices_roll_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/device_codes/{code}/exchange.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example CDFH-2345 */
                code: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a code for the device’s token, which is shown this once
         * @description Exchange a code for the device’s token, which is shown this once; case and dashes do not matter.
         *
         *      Takes no `auth_token`: `code` identifies the caller, or is sent as `Authorization: Bearer` to the path without it. Also at `/api/v1/device_codes/exchange.{format}`.
         */
        post: operations["devices_exchange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/devices/heartbeat.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Report the state of the device whose token this is
         * @description Report the state of the device whose token this is; the answer has the server’s time, for other tokens too.
         *
         *      For tokens of the scope `admin`, `door`. The body may be wrapped in `device`.
         */
        put: operations["devices_heartbeat"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/{contact_id}/invitations.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41018 */
                contact_id: string;
            };
            cookie?: never;
        };
        /**
         * The open invitation of a contact
         * @description The open invitation of a contact; none when it was used or has expired.
         *
         *      For tokens of the scope `admin`.
         */
        get: operations["invitations_list"];
        put?: never;
        /**
         * Invite a contact to choose a password, within a week
         * @description Invite a contact to choose a password, within a week; an earlier invitation is void then.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `invitation`.
         */
        post: operations["invitations_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oauth_apps.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Apps of the account, without secrets
         * @description For tokens of the scope `admin`.
         */
        get: operations["oauth_apps_list"];
        put?: never;
        /**
         * Register an app
         * @description Register an app; `client_secret` is shown this once.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `oauth_app`.
         */
        post: operations["oauth_apps_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oauth_apps/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e4101a */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One app
         * @description For tokens of the scope `admin`.
         */
        get: operations["oauth_apps_read"];
        /**
         * Change an app
         * @description Change an app; redirect_uris are replaced, not merged.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `oauth_app`.
         */
        put: operations["oauth_apps_update"];
        post?: never;
        /**
         * Delete an app for good
         * @description Delete an app for good; what its contacts are signed in to there ends.
         *
         *      For tokens of the scope `admin`.
         */
        delete: operations["oauth_apps_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oauth_apps/{id}/roll_secret.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e4101a */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret, shown this once
         * @description Make a new secret, shown this once; the old one is accepted for a while.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `oauth_app`.
         */
        post: operations["oauth_apps_roll_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff_members.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Staff members of the account, in the order of their creation
         * @description For tokens of the scope `admin`.
         */
        get: operations["staff_members_list"];
        put?: never;
        /**
         * Invite a staff member, by e-mail too where a mail server is set
         * @description Invite a staff member, by e-mail too where a mail server is set; `sign_in_url` is shown this once. 422 where the account has as many as it may.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `staff_member`.
         */
        post: operations["staff_members_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff_members/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e43783 */
                id: string;
            };
            cookie?: never;
        };
        /**
         * One staff member
         * @description For tokens of the scope `admin`.
         */
        get: operations["staff_members_read"];
        /**
         * Change the name, role or event of a staff member, at once
         * @description Change the name, role or event of a staff member, at once; 409 for the role of the last owner who has joined.
         *
         *      For tokens of the scope `admin`. The body may be wrapped in `staff_member`.
         */
        put: operations["staff_members_update"];
        post?: never;
        /**
         * Delete a staff member, whose sessions end at once
         * @description Delete a staff member, whose sessions end at once; the contact stays. 409 for the last owner who has joined.
         *
         *      For tokens of the scope `admin`.
         */
        delete: operations["staff_members_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff_members/{id}/roll_link.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e43783 */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make another link for a staff member, shown this once
         * @description Make another link for a staff member, shown this once; the one before is void.
         *
         *      For tokens of the scope `admin`.
         */
        post: operations["staff_members_roll_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccessControl: {
            _id: string;
            /** Format: date-time */
            access_stamp: string;
            guest_uid: string;
            /** @description 0 granted, 1 guest unknown, 2 not authorized, 3 too many check-ins */
            access_status: number;
            /** @description What the device decided, if it did: as access_status */
            decided_offline?: number;
            /** @description The device's clock was more than a minute ahead of the server's; statistics count the check-in at its created_at */
            stamped_ahead?: boolean;
            accesspoint_id: string;
            event_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AccessControlCreate: {
            accesspoint_id: string;
            /** @description The uid of the scanned QR code, not the guest's _id */
            guest_uid: string;
            /**
             * Format: date-time
             * @description The device's time of the scan; the server's where it is not given
             */
            access_stamp?: string | null;
            /** @description The access_status by which the device decided, if it did so without the server */
            decided_offline?: number | null;
        };
        Accesspoint: {
            _id: string;
            name: string;
            event_id: string;
            /** @description The guest categories that may enter; output only */
            guest_category_accesspoints: {
                max_allowed_accesses: number;
                accesspoint_id: string;
                guest_category_id: string;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AccesspointCreate: {
            name: string;
        };
        AccesspointUpdate: {
            name?: string;
        };
        Account: {
            _id: string;
            slug: string;
            /** @description How the sign-in pages call the account; its slug where it is not given */
            name: string | null;
            /** @description Of buttons and links there: #1a2b3c */
            color: string | null;
            /** @description The language there for who asks for none that is known */
            locale: string | null;
            /** @description A host name of its own for single sign-on (`login.example.org`), which leads to the gateway; of one account alone, kept in small letters */
            sso_host: string | null;
            /** @description PUT and DELETE with a token answer 200 with the object, for clients that parse a body: as with `Prefer: return=representation`. `Prefer: return=minimal` asks for no body all the same */
            answers_updates: boolean;
            /** Format: date-time */
            created_at: string;
        };
        AccountUpdate: {
            /** @description How the sign-in pages call the account; its slug where it is not given */
            name?: string | null;
            /** @description Of buttons and links there: #1a2b3c */
            color?: string | null;
            /** @description The language there for who asks for none that is known */
            locale?: string | null;
            /** @description A host name of its own for single sign-on (`login.example.org`), which leads to the gateway; of one account alone, kept in small letters */
            sso_host?: string | null;
            /** @description PUT and DELETE with a token answer 200 with the object, for clients that parse a body: as with `Prefer: return=representation`. `Prefer: return=minimal` asks for no body all the same */
            answers_updates?: boolean;
        };
        AuditRecord: {
            _id: string;
            account_id: string;
            /** @enum {string} */
            kind: "sign_in" | "sign_in_failed" | "sign_out" | "code_sent" | "consent" | "revocation" | "password_changed" | "contact_blocked" | "contact_unblocked" | "passkey_created" | "passkey_renamed" | "passkey_deleted" | "act";
            /** @description Null where nobody is known by what was given */
            contact_id: string | null;
            /** @description The app at which it happened */
            client_id: string | null;
            /** @description The network address of who did it; null where that is not known */
            address: string | null;
            /** @description Of an `act`: what was done, as `guests.events.update` */
            action: string | null;
            /** @description What it was done to, or made */
            resource_id: string | null;
            /** @description The event to which that belongs */
            event_id: string | null;
            /** @description Whose token did it, or which staff member; `cli`, `import` or `export` for the command line, `retention` where the time of personal data is over */
            token_id: string | null;
            /** @description The name of the token, as it was then */
            token_name: string | null;
            /** @description The names of the fields which a change gave */
            changed_fields: string[];
            /** @description Of a batch: how many items were accepted */
            items: number | null;
            /**
             * @description `unknown` if the process died at work or a store did not answer in time
             * @enum {string}
             */
            outcome: "done" | "unknown";
            /** Format: date-time */
            created_at: string;
        };
        BlockedRecipient: {
            _id: string;
            /** @description An e-mail address, or a domain, which stands for all addresses at it (not at its subdomains) */
            address: string;
            /** @description The organizer's own */
            note: string | null;
            event_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        BlockedRecipientCreate: {
            /** @description An e-mail address, or a domain, which stands for all addresses at it (not at its subdomains) */
            address: string;
            /** @description The organizer's own. May be null */
            note?: string | null;
        };
        BlockedRecipientUpdate: {
            /** @description An e-mail address, or a domain, which stands for all addresses at it (not at its subdomains) */
            address?: string;
            /** @description The organizer's own */
            note?: string | null;
        };
        Campaign: {
            _id: string;
            partner_id: string;
            invitation_type_id: string;
            quota: number;
            /**
             * Format: date-time
             * @description Since when it sends nothing, until the organizer resumes it
             */
            paused_at: string | null;
            pause_reason: string | null;
            /** @description Recipients who count against the quota */
            used: number;
            /** @description Recipients who can still be invited, by the partner's own quota too */
            left: number;
            /** @description Recipients accepted */
            nb_recipients: number;
            /** @description Recipients e-mailed */
            nb_recipients_email_sent: number;
            /** @description E-mails which the mail server took */
            nb_email_sent: number;
            /** @description Whose e-mail may have been handed over */
            unknown_recipients: number;
            /** @description Whom the mail server refused */
            rejected_recipients: number;
            /** @description Whom the organizer has blocked */
            blacklisted_recipients: number;
            bounced_recipients: number;
            spammed_recipients: number;
            unsubscribed_recipients: number;
        };
        Connection: {
            _id: string;
            /** @description The uid that the guest’s QR code carries */
            guest_uid: string;
            /** @description Who of the exhibitor met the guest */
            author: string;
            exhibitor_id: string;
            /** @description What was noted of the guest, 64 KiB in all */
            comments: unknown[];
            /** @description Always empty */
            exhibitor_products: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The _id that the guest had when the lead was made */
            guest_id: string;
            event_id: string;
        };
        ConnectionBatchCreate: {
            /** @description The uid that the guest’s QR code carries */
            guest_uid: string;
            /** @description Who of the exhibitor met the guest */
            author: string;
            /** @description What was noted of the guest, 64 KiB in all */
            comments?: unknown[];
        };
        ConnectionBatchCreateReply: {
            _id: string;
            /** @description The uid that the guest’s QR code carries */
            guest_uid: string;
            /** @description Who of the exhibitor met the guest */
            author: string;
            exhibitor_id: string;
            /** @description What was noted of the guest, 64 KiB in all */
            comments: unknown[];
            /** @description Always empty */
            exhibitor_products: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Each contact field of the account is a further member, under its key */
        Contact: {
            _id: string;
            email: string;
            first_name: string | null;
            last_name: string | null;
            /** @description A blocked contact cannot sign in, and what was signed in ends */
            is_blocked: boolean;
            has_password: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        } & {
            [key: string]: string | null;
        };
        ContactCreate: {
            /** @description Unique in the account, whatever its case */
            email: string;
            /** @description May be null */
            first_name?: string | null;
            /** @description May be null */
            last_name?: string | null;
            /**
             * @description A blocked contact cannot sign in, and what was signed in ends
             * @default false
             */
            is_blocked?: boolean;
            /** @description At least 8 characters. Never shown. Blank or null is none: the contact signs in by a code, or after an invitation. May be null */
            password?: string | null;
        } & {
            [key: string]: string | null;
        };
        ContactField: {
            _id: string;
            /** @description The name of the field in a contact: small letters, digits and underscores */
            key: string;
            /** @description Shown to people; the key where it is not given */
            label: string | null;
            /** @enum {string} */
            type: "text" | "value_list";
            /** @description Of a value_list: what a contact can have there; anything where it is empty */
            available_values: string[];
            account_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ContactFieldCreate: {
            /** @description The name of the field in a contact: small letters, digits and underscores */
            key: string;
            /** @description Shown to people; the key where it is not given. May be null */
            label?: string | null;
            /**
             * @default text
             * @enum {string}
             */
            type?: "text" | "value_list";
            /** @description Of a value_list: what a contact can have there; anything where it is empty */
            available_values?: string[];
        };
        ContactFieldUpdate: {
            /** @description The name of the field in a contact: small letters, digits and underscores */
            key?: string;
            /** @description Shown to people; the key where it is not given */
            label?: string | null;
            /** @enum {string} */
            type?: "text" | "value_list";
            /** @description Of a value_list: what a contact can have there; anything where it is empty */
            available_values?: string[];
        };
        ContactImport: {
            created: number;
            /** @description Rows whose e-mail address a contact has already, whatever its case: these stay as they are */
            already_there: number;
            /** @description Rows that are not valid */
            refused: number;
            /** @description Rows that there was no time for, as hashing passwords takes its time: send the file again to go on, under another Idempotency-Key */
            left: number;
            /** @description In their order; of very many, with long errors, the rest is only counted */
            refused_lines: {
                /** @description Where the row begins, from 1 */
                line: number;
                errors: {
                    [key: string]: string[];
                };
            }[];
            /** @description How the columns were read */
            columns: {
                header: string | null;
                /** @description null for a column that is left out */
                field: string | null;
            }[];
            /** @description The text's encoding, with its language if it was guessed by that, or the sheet */
            read_as: string | null;
            /** @description What is odd about the file */
            notices: string[];
        };
        ContactUpdate: {
            email?: string;
            first_name?: string | null;
            last_name?: string | null;
            /** @description A blocked contact cannot sign in, and what was signed in ends */
            is_blocked?: boolean;
            /** @description At least 8 characters. Never shown. Blank or null is none: the contact signs in by a code, or after an invitation */
            password?: string | null;
        } & {
            [key: string]: string | null;
        };
        Delivery: {
            /** @description The `webhook-id` of its requests */
            _id: string;
            /** @description The webhook; the event itself for its badge_complete_hook_url */
            webhook_id: string;
            event_id: string;
            /** @enum {string} */
            event_type: "check_in.created" | "guest.created" | "guest.updated" | "guest.deleted" | "lead.created" | "badge.completed" | "partner_campaign.paused" | "registration.pending";
            /**
             * @description failed: given up, though it may be replayed
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed";
            /** @description Attempts since its creation or its last replay */
            attempt_count: number;
            /**
             * Format: date-time
             * @description Null when there is none
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            last_attempt_at: string | null;
            /** @description The HTTP status of the last answer; null when there was none */
            response_status: number | null;
            /** @description Why there was no answer: `timeout`, `ECONNREFUSED`, … */
            error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Device: {
            _id: string;
            /** @description What people call the device: North entrance 1 */
            name: string;
            /** @description The check-in points that the device may scan at; all of the event where there are none */
            accesspoint_ids: string[];
            event_id: string;
            /**
             * Format: date-time
             * @description Until when a code waits to be exchanged; null if none does
             */
            code_expires_at: string | null;
            /**
             * Format: date-time
             * @description When the last code was exchanged
             */
            enrolled_at: string | null;
            /**
             * Format: date-time
             * @description When the device last reported
             */
            last_seen_at: string | null;
            /** @description In per cent */
            battery_level: number | null;
            /** @description Scans which the device still has to send */
            queue_length: number | null;
            app_version: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        DeviceCreate: {
            /** @description What people call the device: North entrance 1 */
            name: string;
            /** @description The check-in points that the device may scan at; all of the event where there are none */
            accesspoint_ids?: string[];
        };
        DeviceCreateReply: {
            _id: string;
            /** @description What people call the device: North entrance 1 */
            name: string;
            /** @description The check-in points that the device may scan at; all of the event where there are none */
            accesspoint_ids: string[];
            event_id: string;
            /**
             * Format: date-time
             * @description Until when a code waits to be exchanged; null if none does
             */
            code_expires_at: string | null;
            /**
             * Format: date-time
             * @description When the last code was exchanged
             */
            enrolled_at: string | null;
            /**
             * Format: date-time
             * @description When the device last reported
             */
            last_seen_at: string | null;
            /** @description In per cent */
            battery_level: number | null;
            /** @description Scans which the device still has to send */
            queue_length: number | null;
            app_version: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description For one exchange within 10 minutes; shown this once */
            code: string;
            /** @description Opens the scanner with the code */
            url: string;
            /** @description That address as a QR code: an SVG document */
            qr_code: string;
        };
        DeviceExchangeReply: {
            /** @description Of the device; in batches of check-ins it stands for its token */
            _id: string;
            name: string | null;
            event_id: string;
            accesspoint_ids: string[];
            /**
             * Format: date-time
             * @description By which the device corrects its clock
             */
            server_time: string;
            token: string;
        };
        DeviceHeartbeat: {
            /** @description In per cent */
            battery_level?: number | null;
            /** @description Scans which the device still has to send */
            queue_length?: number | null;
            app_version?: string | null;
        };
        DeviceHeartbeatReply: {
            /** @description Of the device; in batches of check-ins it stands for its token */
            _id: string;
            name: string | null;
            event_id: string | null;
            accesspoint_ids: string[];
            /**
             * Format: date-time
             * @description By which the device corrects its clock
             */
            server_time: string;
        };
        DeviceUpdate: {
            /** @description What people call the device: North entrance 1 */
            name?: string;
            /** @description The check-in points that the device may scan at; all of the event where there are none */
            accesspoint_ids?: string[];
        };
        Erasure: {
            _id: string;
            event_id: string;
            /**
             * @description retention: the days of the event’s `personal_data_days` are over
             * @enum {string}
             */
            cause: "request" | "retention";
            /** @description Whether it is about all people of the event */
            everybody: boolean;
            /**
             * @description running: it goes on by itself, also after a failure
             * @enum {string}
             */
            state: "running" | "done";
            /** @description What was found so far; what is on its way meanwhile is added for minutes */
            report: {
                /** @description What was found, by the name of its resource: `leads.connections` */
                data: string;
                /** @enum {string} */
                outcome: "deleted" | "blanked" | "kept";
                count: number;
                /** @description Why it was not deleted */
                reason: string | null;
            }[];
            /** @description Free texts which are left, and may name the person in any words: look there yourself. Those of the person alone are erased */
            unsearched: {
                /** @description Which data has the texts, by the name of its resource */
                data: string;
                /** @description The fields which hold them */
                fields: string[];
                /** @description How many of them have such a text */
                count: number;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at: string | null;
        };
        ErasureCreate: {
            /**
             * @description guest_id: a guest of the event; guest_uid: who has or had this uid, also if the guest is deleted; email: all guests and recipients with this address, whatever its case, and the contact of the account; everybody: all people of the event
             * @enum {string}
             */
            by: "everybody" | "guest_id" | "guest_uid" | "email";
            /** @description Of `by`; everybody needs none. May be null */
            value?: string | null;
        };
        Event: {
            _id: string;
            title: string;
            description: string | null;
            /** @description Language code */
            locale: string;
            organizer: string | null;
            /** @description Where it takes place, as invited guests see it */
            location: string | null;
            plan: string;
            /** Format: date-time */
            start_date: string | null;
            /**
             * Format: date-time
             * @description Not before start_date
             */
            end_date: string | null;
            /** @description Time zone, for display only: a name of the IANA, Rails or Windows */
            timezone: string;
            network_enabled: boolean;
            /** @description Called when a badge is completed. Its host must have public addresses only; null or empty: not called */
            badge_complete_hook_url: string | null;
            reply_to_email: string | null;
            /** @description What exhibitors see of a guest: email, first_name, last_name, company_name, position, phone_number, uid; any other name is one of guest metadata */
            lead_guest_fields: string[];
            /** @description Switching it on makes a key and an IV, which stay when it is switched off and on again */
            qr_code_ciphering_enabled: boolean;
            /** @description Whether devices of the event get the key of its ciphered QR codes, and so read them without a network. Whoever takes the key from a device can read all ciphered codes of the event for good, since the key never changes */
            device_qr_code_key_enabled: boolean;
            /** @description How many days after end_date the personal data of the event is erased, for good; not shown where it was never given */
            personal_data_days?: number | null;
            /** @description Another event of the account, in which discount codes of partner campaigns are made; a token that is bound to one event cannot set it */
            platform_event_id: string | null;
            /** @description Guests registered */
            guest_count: number;
            /** @description Check-ins stored, granted or not */
            check_in_count: number;
            /** @description Signatures gathered */
            signature_count: number;
            account_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        EventCreate: {
            account_id: string;
            title: string;
            /** @description May be null */
            description?: string | null;
            /**
             * @description Language code
             * @default en
             */
            locale?: string;
            /** @description May be null */
            organizer?: string | null;
            /** @description Where it takes place, as invited guests see it. May be null */
            location?: string | null;
            /** @default pro */
            plan?: string;
            /**
             * Format: date-time
             * @description May be null
             */
            start_date?: string | null;
            /**
             * Format: date-time
             * @description Not before start_date. May be null
             */
            end_date?: string | null;
            /**
             * @description Time zone, for display only: a name of the IANA, Rails or Windows
             * @default UTC
             */
            timezone?: string;
            /**
             * @description Deprecated alias: `mobinetwork_enabled`
             * @default true
             */
            network_enabled?: boolean;
            /** @description Called when a badge is completed. Its host must have public addresses only; null or empty: not called. May be null */
            badge_complete_hook_url?: string | null;
            /** @description May be null */
            reply_to_email?: string | null;
            /**
             * @description What exhibitors see of a guest: email, first_name, last_name, company_name, position, phone_number, uid; any other name is one of guest metadata
             * @default [
             *       "email",
             *       "first_name",
             *       "last_name",
             *       "company_name",
             *       "uid"
             *     ]
             */
            lead_guest_fields?: string[];
            /**
             * @description Switching it on makes a key and an IV, which stay when it is switched off and on again
             * @default false
             */
            qr_code_ciphering_enabled?: boolean;
            /**
             * @description Whether devices of the event get the key of its ciphered QR codes, and so read them without a network. Whoever takes the key from a device can read all ciphered codes of the event for good, since the key never changes
             * @default false
             */
            device_qr_code_key_enabled?: boolean;
            /** @description How many days after end_date the personal data of the event is erased, for good; not shown where it was never given */
            personal_data_days?: number | null;
            /** @description Another event of the account, in which discount codes of partner campaigns are made; a token that is bound to one event cannot set it. May be null */
            platform_event_id?: string | null;
        };
        EventUpdate: {
            title?: string;
            description?: string | null;
            /** @description Language code */
            locale?: string;
            organizer?: string | null;
            /** @description Where it takes place, as invited guests see it */
            location?: string | null;
            plan?: string;
            /** Format: date-time */
            start_date?: string | null;
            /**
             * Format: date-time
             * @description Not before start_date
             */
            end_date?: string | null;
            /** @description Time zone, for display only: a name of the IANA, Rails or Windows */
            timezone?: string;
            /** @description Deprecated alias: `mobinetwork_enabled` */
            network_enabled?: boolean;
            /** @description Called when a badge is completed. Its host must have public addresses only; null or empty: not called */
            badge_complete_hook_url?: string | null;
            reply_to_email?: string | null;
            /** @description What exhibitors see of a guest: email, first_name, last_name, company_name, position, phone_number, uid; any other name is one of guest metadata */
            lead_guest_fields?: string[];
            /** @description Switching it on makes a key and an IV, which stay when it is switched off and on again */
            qr_code_ciphering_enabled?: boolean;
            /** @description Whether devices of the event get the key of its ciphered QR codes, and so read them without a network. Whoever takes the key from a device can read all ciphered codes of the event for good, since the key never changes */
            device_qr_code_key_enabled?: boolean;
            /** @description How many days after end_date the personal data of the event is erased, for good; not shown where it was never given */
            personal_data_days?: number | null;
            /** @description Another event of the account, in which discount codes of partner campaigns are made; a token that is bound to one event cannot set it */
            platform_event_id?: string | null;
        };
        Exhibitor: {
            _id: string;
            name: string;
            email: string | null;
            /** @description An object of your own, or a text, kept as it came; 64 KiB at most */
            meta_data: {
                [key: string]: unknown;
            } | string;
            event_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ExhibitorCreate: {
            name: string;
            /** @description May be null */
            email?: string | null;
            /** @description An object of your own, or a text, kept as it came; 64 KiB at most */
            meta_data?: {
                [key: string]: unknown;
            } | string;
        };
        ExhibitorCreateReply: {
            _id: string;
            name: string;
            email: string | null;
            /** @description An object of your own, or a text, kept as it came; 64 KiB at most */
            meta_data: {
                [key: string]: unknown;
            } | string;
            event_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description What the exhibitor’s devices identify themselves by; shown this once */
            access_token: string;
        };
        ExhibitorUpdate: {
            name?: string;
            email?: string | null;
            /** @description An object of your own, or a text, kept as it came; 64 KiB at most */
            meta_data?: {
                [key: string]: unknown;
            } | string;
        };
        File: {
            /** @description Of a guest field whose type is file */
            key: string;
            /** @description Of that guest field */
            label: string;
            filename: string;
            content_type: string;
            /** @description Bytes */
            size: number;
            /** @description Answers the file to who has an auth_token */
            url: string;
            /** Format: date-time */
            created_at: string;
        };
        Guest: {
            _id: string;
            guest_category_id: string;
            email: string | null;
            first_name: string | null;
            last_name: string | null;
            company_name: string | null;
            position: string | null;
            phone_number: string | null;
            uid: string;
            /** @description Shown on the check-in device at a check-in */
            message: string | null;
            /** @enum {string} */
            rsvp_status: "not_replied" | "accepted" | "declined";
            /**
             * @description How far the guest has come; `imported` if a file brought it, `invited` if an accepted invitation did, unless given. `declined` while rsvp_status is
             * @enum {string}
             */
            status: "registered" | "imported" | "invited" | "declined" | "unfinished" | "email_sent" | "email_opened" | "email_clicked" | "email_unreachable";
            /** Format: date-time */
            registered_at: string;
            /** @description The order by which the guest came, of another system */
            order_uid: string | null;
            /** @description The discount code that the guest holds, as it was when it was used */
            promo_code: string | null;
            access_privileges: {
                access_once: boolean;
                accesspoint_id: string;
            }[];
            badge_completed: boolean;
            /** @description A public link that leads (302) to the badge (PDF), once it is completed */
            badge_url: string | null;
            /** @description A public link to the QR code (PNG, or with .svg) */
            qrcode_url?: string | null;
            guest_metadata?: {
                name: string;
                value: string | null;
            }[];
            badges?: {
                _id: string;
                name: string;
                url: string;
                content_type: string;
                /** Format: date-time */
                created_at: string;
            }[];
            files?: {
                key: string;
                label: string;
                filename: string;
                content_type: string;
                size: number;
                url: string;
            }[];
            event_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        GuestCategory: {
            _id: string;
            name: string;
            badge_enabled: boolean;
            badge_qr_code_enabled: boolean;
            badge_ecard_in_qr_code_enabled: boolean;
            confirmation_email_enabled: boolean;
            rsvp_enabled: boolean;
            moderated_registrations_enabled: boolean;
            /** @description Whether devices at the door get guests' names to keep them, so that they can show them without a network */
            device_names_enabled: boolean;
            form_identity_mapping: {
                [key: string]: unknown;
            };
            form_checkin_point_mapping: {
                [key: string]: unknown;
            };
            event_id: string;
            /** @description The check-in points that the category gives access to */
            guest_category_accesspoints: {
                max_allowed_accesses: number;
                accesspoint_id: string;
                guest_category_id: string;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        GuestCategoryAccesspoint: {
            _id: string;
            id: string;
            guest_category_id: string;
            accesspoint_id: string;
            /** @description How many granted check-ins each guest of the category has at the point; -1: no limit */
            max_allowed_accesses: number;
        };
        GuestCategoryAccesspointCreate: {
            guest_category_id: string;
            accesspoint_id: string;
            /**
             * @description How many granted check-ins each guest of the category has at the point; -1: no limit. Deprecated alias: `access_once` (0 is -1, 1 is 1, true is 1, false is -1)
             * @default -1
             */
            max_allowed_accesses?: number;
        };
        GuestCategoryAccesspointUpdate: {
            guest_category_id?: string;
            accesspoint_id?: string;
            /** @description How many granted check-ins each guest of the category has at the point; -1: no limit. Deprecated alias: `access_once` (0 is -1, 1 is 1, true is 1, false is -1) */
            max_allowed_accesses?: number;
        };
        GuestCategoryCreate: {
            name: string;
            /** @default false */
            badge_enabled?: boolean;
            /** @default false */
            badge_qr_code_enabled?: boolean;
            /** @default false */
            badge_ecard_in_qr_code_enabled?: boolean;
            /** @default false */
            confirmation_email_enabled?: boolean;
            /** @default false */
            rsvp_enabled?: boolean;
            /** @default false */
            moderated_registrations_enabled?: boolean;
            /**
             * @description Whether devices at the door get guests' names to keep them, so that they can show them without a network
             * @default false
             */
            device_names_enabled?: boolean;
            /** @description Deprecated alias: `wufoo_identity_mapping` */
            form_identity_mapping?: {
                [key: string]: unknown;
            };
            /** @description Deprecated alias: `wufoo_checkin_point_mapping` */
            form_checkin_point_mapping?: {
                [key: string]: unknown;
            };
            /** @description The check-in points that the category gives access to, each once */
            guest_category_accesspoints?: {
                accesspoint_id: string;
                /**
                 * @description How many granted check-ins each guest of the category has at the point; -1: no limit. Deprecated alias: `access_once` (0 is -1, 1 is 1, true is 1, false is -1)
                 * @default -1
                 */
                max_allowed_accesses?: number;
            }[];
        };
        GuestCategoryUpdate: {
            name?: string;
            badge_enabled?: boolean;
            badge_qr_code_enabled?: boolean;
            badge_ecard_in_qr_code_enabled?: boolean;
            confirmation_email_enabled?: boolean;
            rsvp_enabled?: boolean;
            moderated_registrations_enabled?: boolean;
            /** @description Whether devices at the door get guests' names to keep them, so that they can show them without a network */
            device_names_enabled?: boolean;
            /** @description Deprecated alias: `wufoo_identity_mapping` */
            form_identity_mapping?: {
                [key: string]: unknown;
            };
            /** @description Deprecated alias: `wufoo_checkin_point_mapping` */
            form_checkin_point_mapping?: {
                [key: string]: unknown;
            };
            /** @description The check-in points that the category gives access to, each once */
            guest_category_accesspoints?: {
                accesspoint_id: string;
                /**
                 * @description How many granted check-ins each guest of the category has at the point; -1: no limit. Deprecated alias: `access_once` (0 is -1, 1 is 1, true is 1, false is -1)
                 * @default -1
                 */
                max_allowed_accesses?: number;
            }[];
        };
        GuestCreate: {
            guest_category_id: string;
            /** @description May be null */
            email?: string | null;
            /** @description May be null */
            first_name?: string | null;
            /** @description May be null */
            last_name?: string | null;
            /** @description May be null */
            company_name?: string | null;
            /** @description May be null */
            position?: string | null;
            /** @description May be null */
            phone_number?: string | null;
            /** @description Carried in the guest's QR code, unique in the event; made by the service when not given. May be null */
            uid?: string | null;
            /** @description Shown on the check-in device at a check-in. May be null */
            message?: string | null;
            /**
             * @default not_replied
             * @enum {string}
             */
            rsvp_status?: "not_replied" | "accepted" | "declined";
            /**
             * @description How far the guest has come; `imported` if a file brought it, `invited` if an accepted invitation did, unless given. `declined` while rsvp_status is
             * @default registered
             * @enum {string}
             */
            status?: "registered" | "imported" | "invited" | "declined" | "unfinished" | "email_sent" | "email_opened" | "email_clicked" | "email_unreachable";
            /**
             * Format: date-time
             * @description When the guest registered; its creation unless given. May be null
             */
            registered_at?: string | null;
            /** @description The order by which the guest came, of another system. May be null */
            order_uid?: string | null;
            /** @description Free-form extra data, 64 KiB in all. An object of name and value is accepted too */
            guest_metadata?: {
                name: string;
                /** @description May be null */
                value?: string | null;
            }[];
            access_privileges_attributes?: {
                /** @default false */
                access_once?: boolean;
                accesspoint_id: string;
            }[];
            /** @description Text of a discount code of the event, in any case: the guest uses it. It cannot be changed later. May be null */
            promo_code?: string | null;
        };
        GuestField: {
            _id: string;
            key: string;
            /** @description Shown to people; the key where it is not given */
            label: string | null;
            /** @enum {string} */
            type: "text" | "file" | "value_list";
            available_values: string[];
            use_in_export: boolean;
            /** @description Whether who accepts an invitation is asked for it; not for files */
            use_in_registration: boolean;
            /** @description Whether a registration without a value is refused */
            is_required: boolean;
            /** @description What the field extends: the event */
            object_id: string;
            event_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        GuestFieldCreate: {
            key: string;
            /** @description Shown to people; the key where it is not given. May be null */
            label?: string | null;
            /**
             * @default text
             * @enum {string}
             */
            type?: "text" | "file" | "value_list";
            available_values?: string[];
            /** @default false */
            use_in_export?: boolean;
            /**
             * @description Whether who accepts an invitation is asked for it; not for files
             * @default false
             */
            use_in_registration?: boolean;
            /**
             * @description Whether a registration without a value is refused
             * @default false
             */
            is_required?: boolean;
        };
        GuestFieldUpdate: {
            key?: string;
            /** @description Shown to people; the key where it is not given */
            label?: string | null;
            /** @enum {string} */
            type?: "text" | "file" | "value_list";
            available_values?: string[];
            use_in_export?: boolean;
            /** @description Whether who accepts an invitation is asked for it; not for files */
            use_in_registration?: boolean;
            /** @description Whether a registration without a value is refused */
            is_required?: boolean;
        };
        GuestUpdate: {
            guest_category_id?: string;
            email?: string | null;
            first_name?: string | null;
            last_name?: string | null;
            company_name?: string | null;
            position?: string | null;
            phone_number?: string | null;
            /** @description Carried in the guest's QR code, unique in the event; made by the service when not given */
            uid?: string | null;
            /** @description Shown on the check-in device at a check-in */
            message?: string | null;
            /** @enum {string} */
            rsvp_status?: "not_replied" | "accepted" | "declined";
            /**
             * @description How far the guest has come; `imported` if a file brought it, `invited` if an accepted invitation did, unless given. `declined` while rsvp_status is
             * @enum {string}
             */
            status?: "registered" | "imported" | "invited" | "declined" | "unfinished" | "email_sent" | "email_opened" | "email_clicked" | "email_unreachable";
            /**
             * Format: date-time
             * @description When the guest registered; its creation unless given
             */
            registered_at?: string | null;
            /** @description The order by which the guest came, of another system */
            order_uid?: string | null;
            /** @description Free-form extra data, 64 KiB in all. An object of name and value is accepted too */
            guest_metadata?: {
                name: string;
                /** @description May be null */
                value?: string | null;
            }[];
            access_privileges_attributes?: {
                /** @default false */
                access_once?: boolean;
                accesspoint_id: string;
            }[];
        };
        Invitation: {
            contact_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        InvitationCreate: {
            /**
             * @description email: sent to the contact; link: the answer holds the address of the page, shown this once
             * @default email
             * @enum {string}
             */
            delivery?: "email" | "link";
            /** @description Language of the e-mail; that of the account where it is not given. May be null */
            locale?: string | null;
        };
        InvitationCreateReply: {
            contact_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @enum {string} */
            delivery: "email" | "link";
            /** @description Only where the delivery is link */
            url?: string;
        };
        InvitationType: {
            _id: string;
            name: string;
            /** @description What an accepted invitation becomes */
            guest_category_id: string | null;
            /** @description Of the e-mail; may contain {{first_name}}, {{last_name}}, {{email}}, {{event_title}}, {{partner_name}}, {{link}} */
            subject: string | null;
            /** @description Of the e-mail, with the same placeholders; **bold**, *italic*, lines which begin with "- ", [text]({{link}}) and [text](https://…); without {{link}} the link follows it */
            message: string | null;
            /** @description Shown as the sender of the e-mail; the partner's name where it is not given */
            sender_name: string | null;
            event_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        InvitationTypeCreate: {
            name: string;
            /** @description What an accepted invitation becomes. May be null */
            guest_category_id?: string | null;
            /** @description Of the e-mail; may contain {{first_name}}, {{last_name}}, {{email}}, {{event_title}}, {{partner_name}}, {{link}}. May be null */
            subject?: string | null;
            /** @description Of the e-mail, with the same placeholders; **bold**, *italic*, lines which begin with "- ", [text]({{link}}) and [text](https://…); without {{link}} the link follows it. May be null */
            message?: string | null;
            /** @description Shown as the sender of the e-mail; the partner's name where it is not given. May be null */
            sender_name?: string | null;
        };
        InvitationTypeUpdate: {
            name?: string;
            /** @description What an accepted invitation becomes */
            guest_category_id?: string | null;
            /** @description Of the e-mail; may contain {{first_name}}, {{last_name}}, {{email}}, {{event_title}}, {{partner_name}}, {{link}} */
            subject?: string | null;
            /** @description Of the e-mail, with the same placeholders; **bold**, *italic*, lines which begin with "- ", [text]({{link}}) and [text](https://…); without {{link}} the link follows it */
            message?: string | null;
            /** @description Shown as the sender of the e-mail; the partner's name where it is not given */
            sender_name?: string | null;
        };
        /** @description The fields of the event’s `lead_guest_fields` and no other, each a string or null; by default `email`, `first_name`, `last_name`, `company_name`, `uid`. In XML a field whose name no element can have is `<entry key="name">` */
        LeadGuest: {
            [key: string]: unknown;
        };
        License: {
            qr_code_ciphering_enabled: boolean;
            /** @description Base 64 of the AES-256 key; null when codes are not ciphered */
            qr_code_ciphering_key: string | null;
            /** @description Base 64 of the CBC IV; null when codes are not ciphered */
            qr_code_ciphering_iv: string | null;
            /** @description The name of the app that signed */
            app: string;
        };
        LicenseActivate: {
            /** @description HMAC-SHA-256 of the access token, in lowercase hexadecimal; its key is the app’s signing secret, immediately followed by the event’s id */
            signature: string;
        };
        MailEvent: {
            invitation_id: string;
            /**
             * @description delivered: the mail server of the recipient took it; bounced: it came back; complained: the recipient called it spam
             * @enum {string}
             */
            type: "delivered" | "bounced" | "complained" | "unsubscribed" | "opened";
            /**
             * @description Of a bounce. hard: the address gets no more e-mails of the event; soft: only reason changes
             * @enum {string}
             */
            bounce_type: "hard" | "soft";
            /**
             * Format: date-time
             * @description Now if it is not given, or in the future
             */
            occurred_at: string | null;
            /** @description What the mail server said; the first 250 characters are kept */
            reason: string | null;
            /**
             * @description queued; sent: the mail server took it; unknown: it may have been handed over, and is not sent again; rejected: the mail server refused it for good; blocked by the organizer, or its recipient has unsubscribed from another one of the event, or complained of one, or one came back; unsubscribed: by its recipient; bounced: the e-mail came back for good; complained: its recipient called it spam
             * @enum {string}
             */
            state: "queued" | "sent" | "unknown" | "rejected" | "blocked" | "bounced" | "complained" | "unsubscribed";
        };
        MailEventBatchCreate: {
            /** @description May be null */
            invitation_id?: string | null;
            /** @description The Message-ID of the e-mail, in place of invitation_id. May be null */
            message_id?: string | null;
            /**
             * @description delivered: the mail server of the recipient took it; bounced: it came back; complained: the recipient called it spam
             * @enum {string}
             */
            type: "delivered" | "bounced" | "complained" | "unsubscribed" | "opened";
            /**
             * @description Of a bounce. hard: the address gets no more e-mails of the event; soft: only reason changes
             * @default hard
             * @enum {string}
             */
            bounce_type?: "hard" | "soft";
            /**
             * Format: date-time
             * @description Now if it is not given, or in the future. May be null
             */
            occurred_at?: string | null;
            /** @description What the mail server said; the first 250 characters are kept. May be null */
            reason?: string | null;
        };
        OauthApp: {
            _id: string;
            /** @description Shown to the contact at sign-in */
            name: string;
            /** @description Where contacts may be sent back to, compared as they are: https, or http on this very machine; no fragment, no user, no *. Browsers let a callback lead on to these hosts alone */
            redirect_uris: string[];
            /** @description A strict app must use PKCE. Others may, and may send a code_verifier though they sent no code_challenge */
            is_strict: boolean;
            client_id: string;
            /**
             * Format: date-time
             * @description Until when the secret before a roll is accepted as well
             */
            old_secret_expires_at?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OauthAppCreate: {
            /** @description Shown to the contact at sign-in */
            name: string;
            /** @description Where contacts may be sent back to, compared as they are: https, or http on this very machine; no fragment, no user, no *. Browsers let a callback lead on to these hosts alone */
            redirect_uris: string[];
            /**
             * @description A strict app must use PKCE. Others may, and may send a code_verifier though they sent no code_challenge
             * @default false
             */
            is_strict?: boolean;
        };
        OauthAppCreateReply: {
            _id: string;
            /** @description Shown to the contact at sign-in */
            name: string;
            /** @description Where contacts may be sent back to, compared as they are: https, or http on this very machine; no fragment, no user, no *. Browsers let a callback lead on to these hosts alone */
            redirect_uris: string[];
            /** @description A strict app must use PKCE. Others may, and may send a code_verifier though they sent no code_challenge */
            is_strict: boolean;
            client_id: string;
            /**
             * Format: date-time
             * @description Until when the secret before a roll is accepted as well
             */
            old_secret_expires_at?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Shown this once */
            client_secret: string;
        };
        OauthAppRollSecret: {
            /**
             * @description For how long the old secret is still accepted; 0 ends it at once
             * @default 86400
             */
            overlap_seconds?: number;
        };
        OauthAppUpdate: {
            /** @description Shown to the contact at sign-in */
            name?: string;
            /** @description Where contacts may be sent back to, compared as they are: https, or http on this very machine; no fragment, no user, no *. Browsers let a callback lead on to these hosts alone */
            redirect_uris?: string[];
            /** @description A strict app must use PKCE. Others may, and may send a code_verifier though they sent no code_challenge */
            is_strict?: boolean;
        };
        Partner: {
            _id: string;
            /** @description Unique in the event as it is written, blanks around it aside */
            name: string;
            /** @description Stands for the _id in paths; unique in the event, other partners' _ids included */
            uid: string | null;
            /** @description Recipients it may write to; -1: no limit */
            recipients_quota: number;
            disable_emails: boolean;
            nb_email_sent: number;
            nb_recipients: number;
            /** @description Recipients e-mailed */
            nb_recipients_email_sent: number;
            blacklisted_recipients: number;
            bounced_recipients: number;
            rejected_recipients: number;
            spammed_recipients: number;
            unsubscribed_recipients: number;
            /** @description Of the recipients e-mailed, 0 to 1 */
            blacklisted_percentage: number;
            /** @description Of the recipients e-mailed, 0 to 1 */
            bounced_percentage: number;
            /** @description Of the recipients e-mailed, 0 to 1 */
            rejected_percentage: number;
            /** @description Of the recipients e-mailed, 0 to 1 */
            spammed_percentage: number;
            /** @description Of the recipients e-mailed, 0 to 1 */
            unsubscribed_percentage: number;
            /** @description Output only */
            partner_campaigns: {
                _id: string;
                partner_id: string;
                /** @description E-mails that the campaign may send */
                quota: number;
                /** @description Between 0 and 1 where it is a percentage */
                platform_promo_code_amount: number | null;
                platform_promo_code_percentage_of_total: boolean | null;
                /** @description Makes a discount code in the event's platform event, on which the token needs a right too; without one, this and the other platform_promo_code fields are ignored */
                platform_promo_code_text: string | null;
                platform_promo_code_max_usage: number | null;
                /** @description The discount code that was made */
                platform_promo_code_id: string | null;
                invitation_type_id: string;
                from_mailer: string | null;
                metadata: {
                    [key: string]: unknown;
                };
                nb_email_sent: number;
                /** @description The event's reply_to_email when the campaign was made */
                reply_to: string | null;
                /**
                 * Format: date-time
                 * @description Since when it sends nothing, since too many e-mails came back
                 */
                paused_at: string | null;
                pause_reason: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            }[];
            event_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PartnerAccessToken: {
            _id: string;
            partner_id: string;
            partner_campaign_id: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
        };
        PartnerAccessTokenCreate: {
            /**
             * Format: date-time
             * @description In the future; in 90 days unless given. May be null
             */
            expires_at?: string | null;
        };
        PartnerAccessTokenCreateReply: {
            _id: string;
            partner_id: string;
            partner_campaign_id: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            token: string;
            /** @description The web page on which the partner invites with this token */
            page_url: string;
        };
        PartnerCampaign: {
            _id: string;
            partner_id: string;
            /** @description E-mails that the campaign may send */
            quota: number;
            /** @description Between 0 and 1 where it is a percentage */
            platform_promo_code_amount: number | null;
            platform_promo_code_percentage_of_total: boolean | null;
            /** @description Makes a discount code in the event's platform event, on which the token needs a right too; without one, this and the other platform_promo_code fields are ignored */
            platform_promo_code_text: string | null;
            platform_promo_code_max_usage: number | null;
            /** @description The discount code that was made */
            platform_promo_code_id: string | null;
            invitation_type_id: string;
            from_mailer: string | null;
            metadata: {
                [key: string]: unknown;
            };
            nb_email_sent: number;
            /** @description The event's reply_to_email when the campaign was made */
            reply_to: string | null;
            /**
             * Format: date-time
             * @description Since when it sends nothing, since too many e-mails came back
             */
            paused_at: string | null;
            pause_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PartnerCampaignCreate: {
            /** @description The _id or the uid of a partner */
            partner_id: string;
            /** @description E-mails that the campaign may send */
            quota: number;
            /** @description Between 0 and 1 where it is a percentage. May be null */
            platform_promo_code_amount?: number | null;
            /** @description May be null */
            platform_promo_code_percentage_of_total?: boolean | null;
            /** @description Makes a discount code in the event's platform event, on which the token needs a right too; without one, this and the other platform_promo_code fields are ignored. May be null */
            platform_promo_code_text?: string | null;
            /** @description May be null */
            platform_promo_code_max_usage?: number | null;
        };
        PartnerCreate: {
            /** @description Unique in the event as it is written, blanks around it aside */
            name: string;
            /** @description Stands for the _id in paths; unique in the event, other partners' _ids included. May be null */
            uid?: string | null;
            /**
             * @description Recipients it may write to; -1: no limit
             * @default -1
             */
            recipients_quota?: number;
            /** @default false */
            disable_emails?: boolean;
        };
        PartnerInvitation: {
            _id: string;
            email: string;
            first_name: string | null;
            last_name: string | null;
            /** @description The language of the recipient: `fr`, `pt-BR` */
            locale: string | null;
            /** @description Kept for the guest whom the recipient becomes */
            guest_metadata: {
                name: string;
                value: string | null;
            }[];
            /**
             * @description queued; sent: the mail server took it; unknown: it may have been handed over, and is not sent again; rejected: the mail server refused it for good; blocked by the organizer, or its recipient has unsubscribed from another one of the event, or complained of one, or one came back; unsubscribed: by its recipient; bounced: the e-mail came back for good; complained: its recipient called it spam
             * @enum {string}
             */
            state: "queued" | "sent" | "unknown" | "rejected" | "blocked" | "bounced" | "complained" | "unsubscribed";
            /** @description Why it was rejected or blocked, came back or is not sent yet: what a mail server said last */
            reason: string | null;
            /** Format: date-time */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description When the e-mail was first opened, if the mail provider reports it
             */
            opened_at: string | null;
            /** @description accepted or declined; null: not answered */
            answer: string | null;
            /** @description pending: the recipient has accepted, and waits for the organizer; approved or rejected by the organizer; null where registrations are not moderated */
            registration_state: string | null;
            /**
             * Format: date-time
             * @description When the mail server took the e-mail which confirms that the recipient is a guest
             */
            confirmed_at: string | null;
            partner_id: string;
            partner_campaign_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PartnerInvitationBatchCreate: {
            email: string;
            /** @description May be null */
            first_name?: string | null;
            /** @description May be null */
            last_name?: string | null;
            /** @description The language of the recipient: `fr`, `pt-BR`. May be null */
            locale?: string | null;
            /** @description Kept for the guest whom the recipient becomes. An object of name and value is accepted too */
            guest_metadata?: {
                name: string;
                /** @description May be null */
                value?: string | null;
            }[];
        };
        PartnerInvitationDecide: {
            /** @enum {string} */
            registration_state: "approved" | "rejected";
        };
        PartnerUpdate: {
            /** @description Unique in the event as it is written, blanks around it aside */
            name?: string;
            /** @description Stands for the _id in paths; unique in the event, other partners' _ids included */
            uid?: string | null;
            /** @description Recipients it may write to; -1: no limit */
            recipients_quota?: number;
            disable_emails?: boolean;
        };
        PersonalDocument: {
            /** @description What the items are, by the name of their resource: `leads.connections` */
            data: string;
            /** @description As they are stored */
            items: unknown[];
            /** @description null: that was all. Otherwise there may be more */
            next: string | null;
        };
        PromoCode: {
            _id: string;
            /** @description What is typed in a registration form; upper-cased, and unique in its event whatever the case */
            text: string;
            label: string | null;
            /** @description A share between 0 and 1 where percentage_of_total is true */
            amount: number;
            percentage_of_total: boolean;
            /** @description Guests who may use it; -1 for any number. Below times_used there are no further uses */
            max_usage: number;
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description Before it the code cannot be used
             */
            start_date: string | null;
            /**
             * Format: date-time
             * @description After it the code cannot be used; not before start_date
             */
            end_date: string | null;
            /** @description Time zone, for display only: a name of the IANA, Rails or Windows */
            timezone: string;
            /** @description Guests who hold the code now */
            times_used: number;
            /** @description Made by the service: the text in lower case, and the amount */
            searchable_keywords: string[];
            event_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PromoCodeCreate: {
            /** @description What is typed in a registration form; upper-cased, and unique in its event whatever the case */
            text: string;
            /** @description May be null */
            label?: string | null;
            /**
             * @description A share between 0 and 1 where percentage_of_total is true
             * @default 0
             */
            amount?: number;
            /** @default false */
            percentage_of_total?: boolean;
            /**
             * @description Guests who may use it; -1 for any number. Below times_used there are no further uses
             * @default -1
             */
            max_usage?: number;
            /** @default true */
            is_enabled?: boolean;
            /**
             * Format: date-time
             * @description Before it the code cannot be used. May be null
             */
            start_date?: string | null;
            /**
             * Format: date-time
             * @description After it the code cannot be used; not before start_date. May be null
             */
            end_date?: string | null;
            /**
             * @description Time zone, for display only: a name of the IANA, Rails or Windows
             * @default UTC
             */
            timezone?: string;
        };
        PromoCodeUpdate: {
            /** @description What is typed in a registration form; upper-cased, and unique in its event whatever the case */
            text?: string;
            label?: string | null;
            /** @description A share between 0 and 1 where percentage_of_total is true */
            amount?: number;
            percentage_of_total?: boolean;
            /** @description Guests who may use it; -1 for any number. Below times_used there are no further uses */
            max_usage?: number;
            is_enabled?: boolean;
            /**
             * Format: date-time
             * @description Before it the code cannot be used
             */
            start_date?: string | null;
            /**
             * Format: date-time
             * @description After it the code cannot be used; not before start_date
             */
            end_date?: string | null;
            /** @description Time zone, for display only: a name of the IANA, Rails or Windows */
            timezone?: string;
        };
        QrCode: {
            content: string | null;
        };
        QrCodeKey: {
            /** @description Base 64 of the AES-256 key */
            qr_code_ciphering_key: string | null;
            /** @description Base 64 of the CBC IV */
            qr_code_ciphering_iv: string | null;
        };
        Signature: {
            _id: string;
            /** Format: date-time */
            access_stamp: string;
            guest_uid: string;
            accesspoint_id: string;
            points?: {
                width: string;
                height: string;
                lines: {
                    x1: string;
                    y1: string;
                    x2: string;
                    y2: string;
                    "stroke-width"?: string;
                }[];
            };
            event_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SignatureCreate: {
            accesspoint_id: string;
            guest_uid: string;
            /** Format: date-time */
            access_stamp?: string | null;
            points: {
                width: string;
                height: string;
                lines: {
                    x1: string;
                    y1: string;
                    x2: string;
                    y2: string;
                    "stroke-width"?: string;
                }[];
            };
        };
        SignatureCreateReply: {
            _id: string;
            /** Format: date-time */
            access_stamp: string;
            guest_uid: string;
            accesspoint_id: string;
            points: {
                width: string;
                height: string;
                lines: {
                    x1: string;
                    y1: string;
                    x2: string;
                    y2: string;
                    "stroke-width"?: string;
                }[];
            };
            event_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        StaffMember: {
            _id: string;
            email: string;
            /** @description That of the contact with this e-mail address */
            name: string | null;
            /**
             * @description owner: everything; organizer: all but staff members, tokens, apps, the account and secrets; door_manager: the door, devices and check-in points; viewer: reads, without exports
             * @enum {string}
             */
            role: "owner" | "organizer" | "door_manager" | "viewer";
            /** @description The only event that a door manager or viewer may see; any of the account when null */
            event_id: string | null;
            /**
             * Format: date-time
             * @description Null until the person has used the link, before which the role does not count
             */
            last_signed_in_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        StaffMemberCreate: {
            /** @description Of a contact of the account, who is made if there is none */
            email: string;
            /** @description That of the contact with this e-mail address. May be null */
            name?: string | null;
            /**
             * @description owner: everything; organizer: all but staff members, tokens, apps, the account and secrets; door_manager: the door, devices and check-in points; viewer: reads, without exports
             * @enum {string}
             */
            role: "owner" | "organizer" | "door_manager" | "viewer";
            /** @description The only event that a door manager or viewer may see; any of the account when null. May be null */
            event_id?: string | null;
        };
        StaffMemberCreateReply: {
            _id: string;
            email: string;
            /** @description That of the contact with this e-mail address */
            name: string | null;
            /**
             * @description owner: everything; organizer: all but staff members, tokens, apps, the account and secrets; door_manager: the door, devices and check-in points; viewer: reads, without exports
             * @enum {string}
             */
            role: "owner" | "organizer" | "door_manager" | "viewer";
            /** @description The only event that a door manager or viewer may see; any of the account when null */
            event_id: string | null;
            /**
             * Format: date-time
             * @description Null until the person has used the link, before which the role does not count
             */
            last_signed_in_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Where the person chooses a password and is signed in, once within 24 hours; shown this once */
            sign_in_url: string;
        };
        StaffMemberUpdate: {
            /** @description That of the contact with this e-mail address */
            name?: string | null;
            /**
             * @description owner: everything; organizer: all but staff members, tokens, apps, the account and secrets; door_manager: the door, devices and check-in points; viewer: reads, without exports
             * @enum {string}
             */
            role?: "owner" | "organizer" | "door_manager" | "viewer";
            /** @description The only event that a door manager or viewer may see; any of the account when null */
            event_id?: string | null;
        };
        Statistics: {
            guest_count: number;
            check_in_count: number;
            signature_count: number;
            /** @description Distinct guests with a granted check-in */
            checked_in_guest_count: number;
            by_status: {
                access_status: number;
                count: number;
            }[];
            by_accesspoint: {
                accesspoint_id: string;
                granted: number;
                refused: number;
                unique_guests: number;
            }[];
            by_guest_category: {
                guest_category_id: string;
                guest_count: number;
                checked_in_guest_count: number;
            }[];
            timeline: {
                /** Format: date-time */
                minute: string;
                granted: number;
                refused: number;
            }[];
        };
        Suppression: {
            _id: string;
            /** @description The e-mail address as it is compared: in lower case, its domain in ASCII; `erased-…` after an erasure */
            address: string;
            /**
             * @description bounced: an e-mail came back for good; complained: one was called spam
             * @enum {string}
             */
            cause: "bounced" | "complained";
            event_id: string;
            /** Format: date-time */
            created_at: string;
        };
        TestSend: {
            email: string;
            subject: string;
        };
        TestSendSend: {
            email: string;
        };
        Token: {
            _id: string;
            name: string;
            /**
             * @description admin: everything; read: all that reads; door: scan, sign and look up
             * @enum {string}
             */
            scope: "admin" | "read" | "door";
            /** @description The only event that the token may touch; any of the account when null */
            event_id: string | null;
            account_id: string;
            /** Format: date-time */
            created_at: string;
        };
        TokenCreate: {
            name: string;
            /**
             * @description admin: everything; read: all that reads; door: scan, sign and look up
             * @enum {string}
             */
            scope: "admin" | "read" | "door";
            /** @description The only event that the token may touch; any of the account when null. May be null */
            event_id?: string | null;
        };
        TokenCreateReply: {
            _id: string;
            name: string;
            /**
             * @description admin: everything; read: all that reads; door: scan, sign and look up
             * @enum {string}
             */
            scope: "admin" | "read" | "door";
            /** @description The only event that the token may touch; any of the account when null */
            event_id: string | null;
            account_id: string;
            /** Format: date-time */
            created_at: string;
            token: string;
        };
        TokenMeReply: {
            /** @description The same as token_id, for clients that look for a user */
            id: string;
            /** @description Of a staff member; null for a token */
            email: string | null;
            /** @description Of a staff member; the name of a token */
            first_name: string | null;
            last_name: string | null;
            account_id: string;
            /** @description The account's slug */
            account: string;
            token_id: string;
            name: string | null;
            /** @enum {string} */
            scope: "admin" | "read" | "door";
            /**
             * @description Of a staff member, for whom it counts in place of the scope
             * @enum {string}
             */
            role?: "owner" | "organizer" | "door_manager" | "viewer";
            event_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Webhook: {
            _id: string;
            /** @description Gets a POST for each event, in XML if its path ends in `.xml`, else in JSON. Its host must have public addresses only */
            url: string;
            /** @description What it wants to hear of; everything when empty */
            event_types: ("check_in.created" | "guest.created" | "guest.updated" | "guest.deleted" | "lead.created" | "badge.completed" | "partner_campaign.paused" | "registration.pending")[];
            /** @description The only event that it hears of; any of the account when null */
            event_id: string | null;
            /** @description The check-ins that it hears of, by their access_status: 0 for granted ones alone; all when empty */
            access_statuses: number[];
            /**
             * @description What it gets. standard: {type, timestamp, event_id, data}. legacy: the thing itself, with `_type`: AccessControl and Connection with their `guest` (`_type` Guest, with metadata) inside (null where there is no such guest), and Guest. A guest inside that is larger than 16 KiB lacks `guest_metadata`, and where it is still larger `access_privileges` and `message` too. Holds for what happens from then on
             * @enum {string}
             */
            payload: "standard" | "legacy";
            /** @description Becomes false by itself when the receiver answers 410 */
            is_enabled: boolean;
            account_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookCreate: {
            /** @description Gets a POST for each event, in XML if its path ends in `.xml`, else in JSON. Its host must have public addresses only */
            url: string;
            /** @description What it wants to hear of; everything when empty */
            event_types?: ("check_in.created" | "guest.created" | "guest.updated" | "guest.deleted" | "lead.created" | "badge.completed" | "partner_campaign.paused" | "registration.pending")[];
            /** @description The only event that it hears of; any of the account when null. May be null */
            event_id?: string | null;
            /** @description The check-ins that it hears of, by their access_status: 0 for granted ones alone; all when empty */
            access_statuses?: number[];
            /**
             * @description What it gets. standard: {type, timestamp, event_id, data}. legacy: the thing itself, with `_type`: AccessControl and Connection with their `guest` (`_type` Guest, with metadata) inside (null where there is no such guest), and Guest. A guest inside that is larger than 16 KiB lacks `guest_metadata`, and where it is still larger `access_privileges` and `message` too. Holds for what happens from then on
             * @default standard
             * @enum {string}
             */
            payload?: "standard" | "legacy";
            /**
             * @description Becomes false by itself when the receiver answers 410
             * @default true
             */
            is_enabled?: boolean;
        };
        WebhookSecret: {
            /** @description `whsec_` and base64: the key of the signatures, as Standard Webhooks writes it */
            secret: string;
            /**
             * Format: date-time
             * @description Until when the secret before signs along; null when there is none
             */
            previous_expires_at: string | null;
        };
        WebhookUpdate: {
            /** @description Gets a POST for each event, in XML if its path ends in `.xml`, else in JSON. Its host must have public addresses only */
            url?: string;
            /** @description What it wants to hear of; everything when empty */
            event_types?: ("check_in.created" | "guest.created" | "guest.updated" | "guest.deleted" | "lead.created" | "badge.completed" | "partner_campaign.paused" | "registration.pending")[];
            /** @description The only event that it hears of; any of the account when null */
            event_id?: string | null;
            /** @description The check-ins that it hears of, by their access_status: 0 for granted ones alone; all when empty */
            access_statuses?: number[];
            /**
             * @description What it gets. standard: {type, timestamp, event_id, data}. legacy: the thing itself, with `_type`: AccessControl and Connection with their `guest` (`_type` Guest, with metadata) inside (null where there is no such guest), and Guest. A guest inside that is larger than 16 KiB lacks `guest_metadata`, and where it is still larger `access_privileges` and `message` too. Holds for what happens from then on
             * @enum {string}
             */
            payload?: "standard" | "legacy";
            /** @description Becomes false by itself when the receiver answers 410 */
            is_enabled?: boolean;
        };
        Error: {
            error: string;
        };
        /** @description The errors of each field */
        ValidationErrors: {
            errors: components["schemas"]["FieldErrors"];
        };
        FieldErrors: {
            [key: string]: string[];
        };
        ErrorSentences: string[];
        /** @description RFC 9457 */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            errors?: components["schemas"]["FieldErrors"];
        };
    };
    responses: never;
    parameters: {
        /** @description The format of the request and of the answer */
        format: "json" | "xml";
        /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
        idempotency_key: string;
        /** @description `return=representation` answers 200 with the object instead of nothing */
        prefer: string;
    };
    requestBodies: never;
    headers: {
        /** @description Seconds after which to try again */
        retry_after: number;
        /** @description The limit which was exceeded, by draft-ietf-httpapi-ratelimit-headers-10: what remains and the seconds until it starts again */
        rate_limits: string;
        /** @description Its maximum and its seconds */
        rate_limit_policy: string;
        /** @description The limit which was exceeded */
        rate_limit: number;
        /** @description Requests or bytes which remain of it */
        rate_limit_remaining: number;
        /** @description Seconds until it starts again */
        rate_limit_reset: number;
        /** @description The URL of the file */
        location: string;
        /** @description `true` if this is an earlier answer */
        replayed: "true";
    };
    pathItems: never;
}
export type AccessControl = components['schemas']['AccessControl'];
export type AccessControlCreate = components['schemas']['AccessControlCreate'];
export type Accesspoint = components['schemas']['Accesspoint'];
export type AccesspointCreate = components['schemas']['AccesspointCreate'];
export type AccesspointUpdate = components['schemas']['AccesspointUpdate'];
export type Account = components['schemas']['Account'];
export type AccountUpdate = components['schemas']['AccountUpdate'];
export type AuditRecord = components['schemas']['AuditRecord'];
export type BlockedRecipient = components['schemas']['BlockedRecipient'];
export type BlockedRecipientCreate = components['schemas']['BlockedRecipientCreate'];
export type BlockedRecipientUpdate = components['schemas']['BlockedRecipientUpdate'];
export type Campaign = components['schemas']['Campaign'];
export type Connection = components['schemas']['Connection'];
export type ConnectionBatchCreate = components['schemas']['ConnectionBatchCreate'];
export type ConnectionBatchCreateReply = components['schemas']['ConnectionBatchCreateReply'];
export type Contact = components['schemas']['Contact'];
export type ContactCreate = components['schemas']['ContactCreate'];
export type ContactField = components['schemas']['ContactField'];
export type ContactFieldCreate = components['schemas']['ContactFieldCreate'];
export type ContactFieldUpdate = components['schemas']['ContactFieldUpdate'];
export type ContactImport = components['schemas']['ContactImport'];
export type ContactUpdate = components['schemas']['ContactUpdate'];
export type Delivery = components['schemas']['Delivery'];
export type Device = components['schemas']['Device'];
export type DeviceCreate = components['schemas']['DeviceCreate'];
export type DeviceCreateReply = components['schemas']['DeviceCreateReply'];
export type DeviceExchangeReply = components['schemas']['DeviceExchangeReply'];
export type DeviceHeartbeat = components['schemas']['DeviceHeartbeat'];
export type DeviceHeartbeatReply = components['schemas']['DeviceHeartbeatReply'];
export type DeviceUpdate = components['schemas']['DeviceUpdate'];
export type Erasure = components['schemas']['Erasure'];
export type ErasureCreate = components['schemas']['ErasureCreate'];
export type Event = components['schemas']['Event'];
export type EventCreate = components['schemas']['EventCreate'];
export type EventUpdate = components['schemas']['EventUpdate'];
export type Exhibitor = components['schemas']['Exhibitor'];
export type ExhibitorCreate = components['schemas']['ExhibitorCreate'];
export type ExhibitorCreateReply = components['schemas']['ExhibitorCreateReply'];
export type ExhibitorUpdate = components['schemas']['ExhibitorUpdate'];
export type File = components['schemas']['File'];
export type Guest = components['schemas']['Guest'];
export type GuestCategory = components['schemas']['GuestCategory'];
export type GuestCategoryAccesspoint = components['schemas']['GuestCategoryAccesspoint'];
export type GuestCategoryAccesspointCreate = components['schemas']['GuestCategoryAccesspointCreate'];
export type GuestCategoryAccesspointUpdate = components['schemas']['GuestCategoryAccesspointUpdate'];
export type GuestCategoryCreate = components['schemas']['GuestCategoryCreate'];
export type GuestCategoryUpdate = components['schemas']['GuestCategoryUpdate'];
export type GuestCreate = components['schemas']['GuestCreate'];
export type GuestField = components['schemas']['GuestField'];
export type GuestFieldCreate = components['schemas']['GuestFieldCreate'];
export type GuestFieldUpdate = components['schemas']['GuestFieldUpdate'];
export type GuestUpdate = components['schemas']['GuestUpdate'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationCreate = components['schemas']['InvitationCreate'];
export type InvitationCreateReply = components['schemas']['InvitationCreateReply'];
export type InvitationType = components['schemas']['InvitationType'];
export type InvitationTypeCreate = components['schemas']['InvitationTypeCreate'];
export type InvitationTypeUpdate = components['schemas']['InvitationTypeUpdate'];
export type LeadGuest = components['schemas']['LeadGuest'];
export type License = components['schemas']['License'];
export type LicenseActivate = components['schemas']['LicenseActivate'];
export type MailEvent = components['schemas']['MailEvent'];
export type MailEventBatchCreate = components['schemas']['MailEventBatchCreate'];
export type OauthApp = components['schemas']['OauthApp'];
export type OauthAppCreate = components['schemas']['OauthAppCreate'];
export type OauthAppCreateReply = components['schemas']['OauthAppCreateReply'];
export type OauthAppRollSecret = components['schemas']['OauthAppRollSecret'];
export type OauthAppUpdate = components['schemas']['OauthAppUpdate'];
export type Partner = components['schemas']['Partner'];
export type PartnerAccessToken = components['schemas']['PartnerAccessToken'];
export type PartnerAccessTokenCreate = components['schemas']['PartnerAccessTokenCreate'];
export type PartnerAccessTokenCreateReply = components['schemas']['PartnerAccessTokenCreateReply'];
export type PartnerCampaign = components['schemas']['PartnerCampaign'];
export type PartnerCampaignCreate = components['schemas']['PartnerCampaignCreate'];
export type PartnerCreate = components['schemas']['PartnerCreate'];
export type PartnerInvitation = components['schemas']['PartnerInvitation'];
export type PartnerInvitationBatchCreate = components['schemas']['PartnerInvitationBatchCreate'];
export type PartnerInvitationDecide = components['schemas']['PartnerInvitationDecide'];
export type PartnerUpdate = components['schemas']['PartnerUpdate'];
export type PersonalDocument = components['schemas']['PersonalDocument'];
export type PromoCode = components['schemas']['PromoCode'];
export type PromoCodeCreate = components['schemas']['PromoCodeCreate'];
export type PromoCodeUpdate = components['schemas']['PromoCodeUpdate'];
export type QrCode = components['schemas']['QrCode'];
export type QrCodeKey = components['schemas']['QrCodeKey'];
export type Signature = components['schemas']['Signature'];
export type SignatureCreate = components['schemas']['SignatureCreate'];
export type SignatureCreateReply = components['schemas']['SignatureCreateReply'];
export type StaffMember = components['schemas']['StaffMember'];
export type StaffMemberCreate = components['schemas']['StaffMemberCreate'];
export type StaffMemberCreateReply = components['schemas']['StaffMemberCreateReply'];
export type StaffMemberUpdate = components['schemas']['StaffMemberUpdate'];
export type Statistics = components['schemas']['Statistics'];
export type Suppression = components['schemas']['Suppression'];
export type TestSend = components['schemas']['TestSend'];
export type TestSendSend = components['schemas']['TestSendSend'];
export type Token = components['schemas']['Token'];
export type TokenCreate = components['schemas']['TokenCreate'];
export type TokenCreateReply = components['schemas']['TokenCreateReply'];
export type TokenMeReply = components['schemas']['TokenMeReply'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookCreate = components['schemas']['WebhookCreate'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type WebhookUpdate = components['schemas']['WebhookUpdate'];
export type Error = components['schemas']['Error'];
export type ValidationErrors = components['schemas']['ValidationErrors'];
export type FieldErrors = components['schemas']['FieldErrors'];
export type ErrorSentences = components['schemas']['ErrorSentences'];
export type Problem = components['schemas']['Problem'];
export type ParameterFormat = components['parameters']['format'];
export type ParameterIdempotencyKey = components['parameters']['idempotency_key'];
export type ParameterPrefer = components['parameters']['prefer'];
export type HeaderRetryAfter = components['headers']['retry_after'];
export type HeaderRateLimits = components['headers']['rate_limits'];
export type HeaderRateLimitPolicy = components['headers']['rate_limit_policy'];
export type HeaderRateLimit = components['headers']['rate_limit'];
export type HeaderRateLimitRemaining = components['headers']['rate_limit_remaining'];
export type HeaderRateLimitReset = components['headers']['rate_limit_reset'];
export type HeaderLocation = components['headers']['location'];
export type HeaderReplayed = components['headers']['replayed'];
export type $defs = Record<string, never>;
export interface operations {
    erasures_list: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4101c",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "cause": "request",
                     *         "everybody": false,
                     *         "state": "done",
                     *         "report": [
                     *           {
                     *             "data": "leads.connections",
                     *             "outcome": "deleted",
                     *             "count": 2,
                     *             "reason": null
                     *           }
                     *         ],
                     *         "unsearched": [
                     *           {
                     *             "data": "leads.connections",
                     *             "fields": [
                     *               "author",
                     *               "comments"
                     *             ],
                     *             "count": 12
                     *           }
                     *         ],
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "completed_at": "2026-09-17T18:04:12.310Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Erasure"][];
                };
            };
        };
    };
    erasures_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "by": "email",
                 *       "value": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["ErasureCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101c",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "cause": "request",
                     *       "everybody": false,
                     *       "state": "done",
                     *       "report": [
                     *         {
                     *           "data": "leads.connections",
                     *           "outcome": "deleted",
                     *           "count": 2,
                     *           "reason": null
                     *         }
                     *       ],
                     *       "unsearched": [
                     *         {
                     *           "data": "leads.connections",
                     *           "fields": [
                     *             "author",
                     *             "comments"
                     *           ],
                     *           "count": 12
                     *         }
                     *       ],
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "completed_at": "2026-09-17T18:04:12.310Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    erasures_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4101c */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101c",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "cause": "request",
                     *       "everybody": false,
                     *       "state": "done",
                     *       "report": [
                     *         {
                     *           "data": "leads.connections",
                     *           "outcome": "deleted",
                     *           "count": 2,
                     *           "reason": null
                     *         }
                     *       ],
                     *       "unsearched": [
                     *         {
                     *           "data": "leads.connections",
                     *           "fields": [
                     *             "author",
                     *             "comments"
                     *           ],
                     *           "count": 12
                     *         }
                     *       ],
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "completed_at": "2026-09-17T18:04:12.310Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    events_list: {
        parameters: {
            query?: {
                /** @description Each word must begin a word of the title or the organizer */
                search?: string | null;
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "title": "Opening night",
                     *         "description": "The exhibition opens",
                     *         "locale": "en",
                     *         "organizer": "Acme Events",
                     *         "location": "Somerset House, London",
                     *         "plan": "pro",
                     *         "start_date": "2026-09-17T18:00:00.000Z",
                     *         "end_date": "2026-09-17T23:00:00.000Z",
                     *         "timezone": "Europe/London",
                     *         "network_enabled": true,
                     *         "badge_complete_hook_url": "https://hooks.example.com/badges",
                     *         "reply_to_email": "guests@example.com",
                     *         "lead_guest_fields": [
                     *           "email",
                     *           "first_name",
                     *           "last_name",
                     *           "company_name",
                     *           "uid"
                     *         ],
                     *         "qr_code_ciphering_enabled": false,
                     *         "device_qr_code_key_enabled": false,
                     *         "personal_data_days": 0,
                     *         "platform_event_id": null,
                     *         "guest_count": 240,
                     *         "check_in_count": 187,
                     *         "signature_count": 12,
                     *         "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Event"][];
                };
            };
        };
    };
    events_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                 *       "title": "Opening night",
                 *       "description": "The exhibition opens",
                 *       "locale": "en",
                 *       "organizer": "Acme Events",
                 *       "location": "Somerset House, London",
                 *       "plan": "pro",
                 *       "start_date": "2026-09-17T18:00:00.000Z",
                 *       "end_date": "2026-09-17T23:00:00.000Z",
                 *       "timezone": "Europe/London",
                 *       "network_enabled": true,
                 *       "badge_complete_hook_url": "https://hooks.example.com/badges",
                 *       "reply_to_email": "guests@example.com",
                 *       "lead_guest_fields": [
                 *         "email",
                 *         "first_name",
                 *         "last_name",
                 *         "company_name",
                 *         "uid"
                 *       ],
                 *       "qr_code_ciphering_enabled": false,
                 *       "device_qr_code_key_enabled": false,
                 *       "personal_data_days": 0
                 *     }
                 */
                "application/json": components["schemas"]["EventCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "title": "Opening night",
                     *       "description": "The exhibition opens",
                     *       "locale": "en",
                     *       "organizer": "Acme Events",
                     *       "location": "Somerset House, London",
                     *       "plan": "pro",
                     *       "start_date": "2026-09-17T18:00:00.000Z",
                     *       "end_date": "2026-09-17T23:00:00.000Z",
                     *       "timezone": "Europe/London",
                     *       "network_enabled": true,
                     *       "badge_complete_hook_url": "https://hooks.example.com/badges",
                     *       "reply_to_email": "guests@example.com",
                     *       "lead_guest_fields": [
                     *         "email",
                     *         "first_name",
                     *         "last_name",
                     *         "company_name",
                     *         "uid"
                     *       ],
                     *       "qr_code_ciphering_enabled": false,
                     *       "device_qr_code_key_enabled": false,
                     *       "personal_data_days": 0,
                     *       "platform_event_id": null,
                     *       "guest_count": 240,
                     *       "check_in_count": 187,
                     *       "signature_count": 12,
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Event"];
                };
            };
        };
    };
    events_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "title": "Opening night",
                     *       "description": "The exhibition opens",
                     *       "locale": "en",
                     *       "organizer": "Acme Events",
                     *       "location": "Somerset House, London",
                     *       "plan": "pro",
                     *       "start_date": "2026-09-17T18:00:00.000Z",
                     *       "end_date": "2026-09-17T23:00:00.000Z",
                     *       "timezone": "Europe/London",
                     *       "network_enabled": true,
                     *       "badge_complete_hook_url": "https://hooks.example.com/badges",
                     *       "reply_to_email": "guests@example.com",
                     *       "lead_guest_fields": [
                     *         "email",
                     *         "first_name",
                     *         "last_name",
                     *         "company_name",
                     *         "uid"
                     *       ],
                     *       "qr_code_ciphering_enabled": false,
                     *       "device_qr_code_key_enabled": false,
                     *       "personal_data_days": 0,
                     *       "platform_event_id": null,
                     *       "guest_count": 240,
                     *       "check_in_count": 187,
                     *       "signature_count": 12,
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Event"];
                };
            };
        };
    };
    events_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "Opening night",
                 *       "description": "The exhibition opens",
                 *       "locale": "en",
                 *       "organizer": "Acme Events",
                 *       "location": "Somerset House, London",
                 *       "plan": "pro",
                 *       "start_date": "2026-09-17T18:00:00.000Z",
                 *       "end_date": "2026-09-17T23:00:00.000Z",
                 *       "timezone": "Europe/London",
                 *       "network_enabled": true,
                 *       "badge_complete_hook_url": "https://hooks.example.com/badges",
                 *       "reply_to_email": "guests@example.com",
                 *       "lead_guest_fields": [
                 *         "email",
                 *         "first_name",
                 *         "last_name",
                 *         "company_name",
                 *         "uid"
                 *       ],
                 *       "qr_code_ciphering_enabled": false,
                 *       "device_qr_code_key_enabled": false,
                 *       "personal_data_days": 0
                 *     }
                 */
                "application/json": components["schemas"]["EventUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "title": "Opening night",
                     *       "description": "The exhibition opens",
                     *       "locale": "en",
                     *       "organizer": "Acme Events",
                     *       "location": "Somerset House, London",
                     *       "plan": "pro",
                     *       "start_date": "2026-09-17T18:00:00.000Z",
                     *       "end_date": "2026-09-17T23:00:00.000Z",
                     *       "timezone": "Europe/London",
                     *       "network_enabled": true,
                     *       "badge_complete_hook_url": "https://hooks.example.com/badges",
                     *       "reply_to_email": "guests@example.com",
                     *       "lead_guest_fields": [
                     *         "email",
                     *         "first_name",
                     *         "last_name",
                     *         "company_name",
                     *         "uid"
                     *       ],
                     *       "qr_code_ciphering_enabled": false,
                     *       "device_qr_code_key_enabled": false,
                     *       "personal_data_days": 0,
                     *       "platform_event_id": null,
                     *       "guest_count": 240,
                     *       "check_in_count": 187,
                     *       "signature_count": 12,
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    guest_categories_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41003",
                     *         "name": "VIP",
                     *         "badge_enabled": false,
                     *         "badge_qr_code_enabled": false,
                     *         "badge_ecard_in_qr_code_enabled": false,
                     *         "confirmation_email_enabled": false,
                     *         "rsvp_enabled": false,
                     *         "moderated_registrations_enabled": false,
                     *         "device_names_enabled": false,
                     *         "form_identity_mapping": {
                     *           "Field1": "last_name"
                     *         },
                     *         "form_checkin_point_mapping": {},
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "guest_category_accesspoints": [
                     *           {
                     *             "max_allowed_accesses": 1,
                     *             "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *             "guest_category_id": "66f1a0c2e4b0a1d2c3e41003"
                     *           }
                     *         ],
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GuestCategory"][];
                };
            };
        };
    };
    guest_categories_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "VIP",
                 *       "badge_enabled": false,
                 *       "badge_qr_code_enabled": false,
                 *       "badge_ecard_in_qr_code_enabled": false,
                 *       "confirmation_email_enabled": false,
                 *       "rsvp_enabled": false,
                 *       "moderated_registrations_enabled": false,
                 *       "device_names_enabled": false,
                 *       "form_identity_mapping": {
                 *         "Field1": "last_name"
                 *       },
                 *       "form_checkin_point_mapping": {},
                 *       "guest_category_accesspoints": [
                 *         {
                 *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                 *           "max_allowed_accesses": 1
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GuestCategoryCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "name": "VIP",
                     *       "badge_enabled": false,
                     *       "badge_qr_code_enabled": false,
                     *       "badge_ecard_in_qr_code_enabled": false,
                     *       "confirmation_email_enabled": false,
                     *       "rsvp_enabled": false,
                     *       "moderated_registrations_enabled": false,
                     *       "device_names_enabled": false,
                     *       "form_identity_mapping": {
                     *         "Field1": "last_name"
                     *       },
                     *       "form_checkin_point_mapping": {},
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "guest_category_accesspoints": [
                     *         {
                     *           "max_allowed_accesses": 1,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *           "guest_category_id": "66f1a0c2e4b0a1d2c3e41003"
                     *         }
                     *       ],
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GuestCategory"];
                };
            };
        };
    };
    guest_categories_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41003 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "name": "VIP",
                     *       "badge_enabled": false,
                     *       "badge_qr_code_enabled": false,
                     *       "badge_ecard_in_qr_code_enabled": false,
                     *       "confirmation_email_enabled": false,
                     *       "rsvp_enabled": false,
                     *       "moderated_registrations_enabled": false,
                     *       "device_names_enabled": false,
                     *       "form_identity_mapping": {
                     *         "Field1": "last_name"
                     *       },
                     *       "form_checkin_point_mapping": {},
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "guest_category_accesspoints": [
                     *         {
                     *           "max_allowed_accesses": 1,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *           "guest_category_id": "66f1a0c2e4b0a1d2c3e41003"
                     *         }
                     *       ],
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GuestCategory"];
                };
            };
        };
    };
    guest_categories_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41003 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "VIP",
                 *       "badge_enabled": false,
                 *       "badge_qr_code_enabled": false,
                 *       "badge_ecard_in_qr_code_enabled": false,
                 *       "confirmation_email_enabled": false,
                 *       "rsvp_enabled": false,
                 *       "moderated_registrations_enabled": false,
                 *       "device_names_enabled": false,
                 *       "form_identity_mapping": {
                 *         "Field1": "last_name"
                 *       },
                 *       "form_checkin_point_mapping": {},
                 *       "guest_category_accesspoints": [
                 *         {
                 *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                 *           "max_allowed_accesses": 1
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GuestCategoryUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "name": "VIP",
                     *       "badge_enabled": false,
                     *       "badge_qr_code_enabled": false,
                     *       "badge_ecard_in_qr_code_enabled": false,
                     *       "confirmation_email_enabled": false,
                     *       "rsvp_enabled": false,
                     *       "moderated_registrations_enabled": false,
                     *       "device_names_enabled": false,
                     *       "form_identity_mapping": {
                     *         "Field1": "last_name"
                     *       },
                     *       "form_checkin_point_mapping": {},
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "guest_category_accesspoints": [
                     *         {
                     *           "max_allowed_accesses": 1,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *           "guest_category_id": "66f1a0c2e4b0a1d2c3e41003"
                     *         }
                     *       ],
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GuestCategory"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    guest_categories_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41003 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "name": "VIP",
                     *       "badge_enabled": false,
                     *       "badge_qr_code_enabled": false,
                     *       "badge_ecard_in_qr_code_enabled": false,
                     *       "confirmation_email_enabled": false,
                     *       "rsvp_enabled": false,
                     *       "moderated_registrations_enabled": false,
                     *       "device_names_enabled": false,
                     *       "form_identity_mapping": {
                     *         "Field1": "last_name"
                     *       },
                     *       "form_checkin_point_mapping": {},
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "guest_category_accesspoints": [
                     *         {
                     *           "max_allowed_accesses": 1,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *           "guest_category_id": "66f1a0c2e4b0a1d2c3e41003"
                     *         }
                     *       ],
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GuestCategory"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    guest_fields_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41004",
                     *         "key": "diet",
                     *         "label": "Diet",
                     *         "type": "text",
                     *         "available_values": [],
                     *         "use_in_export": false,
                     *         "use_in_registration": false,
                     *         "is_required": false,
                     *         "object_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GuestField"][];
                };
            };
        };
    };
    guest_fields_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "diet",
                 *       "label": "Diet",
                 *       "type": "text",
                 *       "available_values": [],
                 *       "use_in_export": false,
                 *       "use_in_registration": false,
                 *       "is_required": false
                 *     }
                 */
                "application/json": components["schemas"]["GuestFieldCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41004",
                     *       "key": "diet",
                     *       "label": "Diet",
                     *       "type": "text",
                     *       "available_values": [],
                     *       "use_in_export": false,
                     *       "use_in_registration": false,
                     *       "is_required": false,
                     *       "object_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GuestField"];
                };
            };
        };
    };
    guest_fields_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41004 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41004",
                     *       "key": "diet",
                     *       "label": "Diet",
                     *       "type": "text",
                     *       "available_values": [],
                     *       "use_in_export": false,
                     *       "use_in_registration": false,
                     *       "is_required": false,
                     *       "object_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GuestField"];
                };
            };
        };
    };
    guest_fields_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41004 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "key": "diet",
                 *       "label": "Diet",
                 *       "type": "text",
                 *       "available_values": [],
                 *       "use_in_export": false,
                 *       "use_in_registration": false,
                 *       "is_required": false
                 *     }
                 */
                "application/json": components["schemas"]["GuestFieldUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41004",
                     *       "key": "diet",
                     *       "label": "Diet",
                     *       "type": "text",
                     *       "available_values": [],
                     *       "use_in_export": false,
                     *       "use_in_registration": false,
                     *       "is_required": false,
                     *       "object_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GuestField"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    guest_fields_batch_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 10 MiB */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "key": "diet",
                 *         "label": "Diet",
                 *         "type": "text",
                 *         "available_values": [],
                 *         "use_in_export": false,
                 *         "use_in_registration": false,
                 *         "is_required": false
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["GuestFieldCreate"][];
            };
        };
        responses: {
            /** @description At least one item was refused. Each is answered in its place; the valid ones are stored */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41004",
                     *         "key": "diet",
                     *         "label": "Diet",
                     *         "type": "text",
                     *         "available_values": [],
                     *         "use_in_export": false,
                     *         "use_in_registration": false,
                     *         "is_required": false,
                     *         "object_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       },
                     *       {
                     *         "errors": {
                     *           "key": [
                     *             "can't be blank"
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": (components["schemas"]["GuestField"] | components["schemas"]["ValidationErrors"])[];
                };
            };
        };
    };
    guests_list: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
                uid?: string;
                /** @description Each word must begin a word of email, first_name, last_name, company_name, position, phone_number, uid. or of a value of guest_metadata. Also status:a,b sort:lastname-asc|desc sort:registered-asc|desc company_name:x position:x */
                search?: string | null;
                "category[]"?: string[];
                /** @description Created at or after: ISO 8601 or Unix seconds. Unix seconds are accepted too */
                since?: string;
                /** @description Created before. Unix seconds are accepted too */
                before?: string;
                /** @description Updated at or after. Unix seconds are accepted too */
                updated_since?: string;
                /** @description Updated before. Unix seconds are accepted too */
                updated_before?: string;
                /** @description Adds guest_metadata */
                guest_metadata?: boolean;
                /** @description Adds qrcode_url */
                qrcode_url?: boolean;
                /** @description Adds badges */
                badges?: boolean;
                /** @description Adds files */
                files?: boolean;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41005",
                     *         "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *         "email": "ada@example.com",
                     *         "first_name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "company_name": "Analytical Engines",
                     *         "position": "Mathematician",
                     *         "phone_number": "+44 20 7946 0018",
                     *         "uid": "ada1815",
                     *         "message": "Speaks at 19:00",
                     *         "rsvp_status": "accepted",
                     *         "status": "registered",
                     *         "registered_at": "2026-09-17T18:04:12.310Z",
                     *         "order_uid": "order uid",
                     *         "promo_code": "EARLY",
                     *         "access_privileges": [
                     *           {
                     *             "access_once": false,
                     *             "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006"
                     *           }
                     *         ],
                     *         "badge_completed": true,
                     *         "badge_url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/badge/not-a-real-secret-but-as-long-as-one-is-000.pdf",
                     *         "qrcode_url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/qrcode/not-a-real-secret-but-as-long-as-one-is-000.png",
                     *         "guest_metadata": [
                     *           {
                     *             "name": "diet",
                     *             "value": "vegetarian"
                     *           }
                     *         ],
                     *         "badges": [
                     *           {
                     *             "_id": "66f1a0c2e4b0a1d2c3e41014",
                     *             "name": "Badge",
                     *             "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/badge/not-a-real-secret-but-as-long-as-one-is-000.pdf",
                     *             "content_type": "application/pdf",
                     *             "created_at": "2026-05-04T09:12:31.250Z"
                     *           }
                     *         ],
                     *         "files": [
                     *           {
                     *             "key": "portrait",
                     *             "label": "Portrait",
                     *             "filename": "portrait.jpg",
                     *             "content_type": "image/jpeg",
                     *             "size": 48213,
                     *             "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/files/portrait.jpg"
                     *           }
                     *         ],
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Guest"][];
                };
            };
        };
    };
    guests_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                 *       "email": "ada@example.com",
                 *       "first_name": "Ada",
                 *       "last_name": "Lovelace",
                 *       "company_name": "Analytical Engines",
                 *       "position": "Mathematician",
                 *       "phone_number": "+44 20 7946 0018",
                 *       "uid": "ada1815",
                 *       "message": "Speaks at 19:00",
                 *       "rsvp_status": "accepted",
                 *       "status": "registered",
                 *       "registered_at": "2026-09-17T18:04:12.310Z",
                 *       "order_uid": "order uid",
                 *       "guest_metadata": [
                 *         {
                 *           "name": "diet",
                 *           "value": "vegetarian"
                 *         }
                 *       ],
                 *       "access_privileges_attributes": [
                 *         {
                 *           "access_once": false,
                 *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006"
                 *         }
                 *       ],
                 *       "promo_code": "EARLY"
                 *     }
                 */
                "application/json": components["schemas"]["GuestCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41005",
                     *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "email": "ada@example.com",
                     *       "first_name": "Ada",
                     *       "last_name": "Lovelace",
                     *       "company_name": "Analytical Engines",
                     *       "position": "Mathematician",
                     *       "phone_number": "+44 20 7946 0018",
                     *       "uid": "ada1815",
                     *       "message": "Speaks at 19:00",
                     *       "rsvp_status": "accepted",
                     *       "status": "registered",
                     *       "registered_at": "2026-09-17T18:04:12.310Z",
                     *       "order_uid": "order uid",
                     *       "promo_code": "EARLY",
                     *       "access_privileges": [
                     *         {
                     *           "access_once": false,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006"
                     *         }
                     *       ],
                     *       "badge_completed": true,
                     *       "badge_url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/badge/not-a-real-secret-but-as-long-as-one-is-000.pdf",
                     *       "qrcode_url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/qrcode/not-a-real-secret-but-as-long-as-one-is-000.png",
                     *       "guest_metadata": [
                     *         {
                     *           "name": "diet",
                     *           "value": "vegetarian"
                     *         }
                     *       ],
                     *       "badges": [
                     *         {
                     *           "_id": "66f1a0c2e4b0a1d2c3e41014",
                     *           "name": "Badge",
                     *           "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/badge/not-a-real-secret-but-as-long-as-one-is-000.pdf",
                     *           "content_type": "application/pdf",
                     *           "created_at": "2026-05-04T09:12:31.250Z"
                     *         }
                     *       ],
                     *       "files": [
                     *         {
                     *           "key": "portrait",
                     *           "label": "Portrait",
                     *           "filename": "portrait.jpg",
                     *           "content_type": "image/jpeg",
                     *           "size": 48213,
                     *           "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/files/portrait.jpg"
                     *         }
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Guest"];
                };
            };
        };
    };
    guests_read: {
        parameters: {
            query?: {
                /** @description Adds guest_metadata */
                guest_metadata?: boolean;
                /** @description Adds qrcode_url */
                qrcode_url?: boolean;
                /** @description Adds badges */
                badges?: boolean;
                /** @description Adds files */
                files?: boolean;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41005",
                     *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "email": "ada@example.com",
                     *       "first_name": "Ada",
                     *       "last_name": "Lovelace",
                     *       "company_name": "Analytical Engines",
                     *       "position": "Mathematician",
                     *       "phone_number": "+44 20 7946 0018",
                     *       "uid": "ada1815",
                     *       "message": "Speaks at 19:00",
                     *       "rsvp_status": "accepted",
                     *       "status": "registered",
                     *       "registered_at": "2026-09-17T18:04:12.310Z",
                     *       "order_uid": "order uid",
                     *       "promo_code": "EARLY",
                     *       "access_privileges": [
                     *         {
                     *           "access_once": false,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006"
                     *         }
                     *       ],
                     *       "badge_completed": true,
                     *       "badge_url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/badge/not-a-real-secret-but-as-long-as-one-is-000.pdf",
                     *       "qrcode_url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/qrcode/not-a-real-secret-but-as-long-as-one-is-000.png",
                     *       "guest_metadata": [
                     *         {
                     *           "name": "diet",
                     *           "value": "vegetarian"
                     *         }
                     *       ],
                     *       "badges": [
                     *         {
                     *           "_id": "66f1a0c2e4b0a1d2c3e41014",
                     *           "name": "Badge",
                     *           "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/badge/not-a-real-secret-but-as-long-as-one-is-000.pdf",
                     *           "content_type": "application/pdf",
                     *           "created_at": "2026-05-04T09:12:31.250Z"
                     *         }
                     *       ],
                     *       "files": [
                     *         {
                     *           "key": "portrait",
                     *           "label": "Portrait",
                     *           "filename": "portrait.jpg",
                     *           "content_type": "image/jpeg",
                     *           "size": 48213,
                     *           "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/files/portrait.jpg"
                     *         }
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Guest"];
                };
            };
        };
    };
    guests_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                 *       "email": "ada@example.com",
                 *       "first_name": "Ada",
                 *       "last_name": "Lovelace",
                 *       "company_name": "Analytical Engines",
                 *       "position": "Mathematician",
                 *       "phone_number": "+44 20 7946 0018",
                 *       "uid": "ada1815",
                 *       "message": "Speaks at 19:00",
                 *       "rsvp_status": "accepted",
                 *       "status": "registered",
                 *       "registered_at": "2026-09-17T18:04:12.310Z",
                 *       "order_uid": "order uid",
                 *       "guest_metadata": [
                 *         {
                 *           "name": "diet",
                 *           "value": "vegetarian"
                 *         }
                 *       ],
                 *       "access_privileges_attributes": [
                 *         {
                 *           "access_once": false,
                 *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GuestUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41005",
                     *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "email": "ada@example.com",
                     *       "first_name": "Ada",
                     *       "last_name": "Lovelace",
                     *       "company_name": "Analytical Engines",
                     *       "position": "Mathematician",
                     *       "phone_number": "+44 20 7946 0018",
                     *       "uid": "ada1815",
                     *       "message": "Speaks at 19:00",
                     *       "rsvp_status": "accepted",
                     *       "status": "registered",
                     *       "registered_at": "2026-09-17T18:04:12.310Z",
                     *       "order_uid": "order uid",
                     *       "promo_code": "EARLY",
                     *       "access_privileges": [
                     *         {
                     *           "access_once": false,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006"
                     *         }
                     *       ],
                     *       "badge_completed": true,
                     *       "badge_url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/badge/not-a-real-secret-but-as-long-as-one-is-000.pdf",
                     *       "qrcode_url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/qrcode/not-a-real-secret-but-as-long-as-one-is-000.png",
                     *       "guest_metadata": [
                     *         {
                     *           "name": "diet",
                     *           "value": "vegetarian"
                     *         }
                     *       ],
                     *       "badges": [
                     *         {
                     *           "_id": "66f1a0c2e4b0a1d2c3e41014",
                     *           "name": "Badge",
                     *           "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/badge/not-a-real-secret-but-as-long-as-one-is-000.pdf",
                     *           "content_type": "application/pdf",
                     *           "created_at": "2026-05-04T09:12:31.250Z"
                     *         }
                     *       ],
                     *       "files": [
                     *         {
                     *           "key": "portrait",
                     *           "label": "Portrait",
                     *           "filename": "portrait.jpg",
                     *           "content_type": "image/jpeg",
                     *           "size": 48213,
                     *           "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/files/portrait.jpg"
                     *         }
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Guest"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    guests_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41005",
                     *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "email": "ada@example.com",
                     *       "first_name": "Ada",
                     *       "last_name": "Lovelace",
                     *       "company_name": "Analytical Engines",
                     *       "position": "Mathematician",
                     *       "phone_number": "+44 20 7946 0018",
                     *       "uid": "ada1815",
                     *       "message": "Speaks at 19:00",
                     *       "rsvp_status": "accepted",
                     *       "status": "registered",
                     *       "registered_at": "2026-09-17T18:04:12.310Z",
                     *       "order_uid": "order uid",
                     *       "promo_code": "EARLY",
                     *       "access_privileges": [
                     *         {
                     *           "access_once": false,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006"
                     *         }
                     *       ],
                     *       "badge_completed": true,
                     *       "badge_url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/badge/not-a-real-secret-but-as-long-as-one-is-000.pdf",
                     *       "qrcode_url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/qrcode/not-a-real-secret-but-as-long-as-one-is-000.png",
                     *       "guest_metadata": [
                     *         {
                     *           "name": "diet",
                     *           "value": "vegetarian"
                     *         }
                     *       ],
                     *       "badges": [
                     *         {
                     *           "_id": "66f1a0c2e4b0a1d2c3e41014",
                     *           "name": "Badge",
                     *           "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/badge/not-a-real-secret-but-as-long-as-one-is-000.pdf",
                     *           "content_type": "application/pdf",
                     *           "created_at": "2026-05-04T09:12:31.250Z"
                     *         }
                     *       ],
                     *       "files": [
                     *         {
                     *           "key": "portrait",
                     *           "label": "Portrait",
                     *           "filename": "portrait.jpg",
                     *           "content_type": "image/jpeg",
                     *           "size": 48213,
                     *           "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/files/portrait.jpg"
                     *         }
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Guest"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    personal_documents_export: {
        parameters: {
            query?: {
                /** @description guest_id: a guest of the event; guest_uid: who has or had this uid, also if the guest is deleted; email: all guests and recipients with this address, whatever its case, and the contact of the account; everybody: all people of the event */
                by?: "everybody" | "guest_id" | "guest_uid" | "email";
                /** @description Of `by`; everybody needs none. May be null */
                value?: string | null;
                /** @description The `next` of the answer before */
                after?: string;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": "leads.connections",
                     *       "items": [
                     *         {
                     *           "guest_uid": "ada1815",
                     *           "comments": [
                     *             "Wants a brochure"
                     *           ]
                     *         }
                     *       ],
                     *       "next": "partners:"
                     *     }
                     */
                    "application/json": components["schemas"]["PersonalDocument"];
                };
            };
        };
    };
    statistics_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "guest_count": 240,
                     *       "check_in_count": 187,
                     *       "signature_count": 12,
                     *       "checked_in_guest_count": 181,
                     *       "by_status": [
                     *         {
                     *           "access_status": 0,
                     *           "count": 176
                     *         }
                     *       ],
                     *       "by_accesspoint": [
                     *         {
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *           "granted": 176,
                     *           "refused": 11,
                     *           "unique_guests": 181
                     *         }
                     *       ],
                     *       "by_guest_category": [
                     *         {
                     *           "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *           "guest_count": 240,
                     *           "checked_in_guest_count": 181
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "minute": "2026-09-17T18:04:00.000Z",
                     *           "granted": 9,
                     *           "refused": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Statistics"];
                };
            };
        };
    };
    accesspoints_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41006",
                     *         "name": "Main entrance",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "guest_category_accesspoints": [
                     *           {
                     *             "max_allowed_accesses": 1,
                     *             "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *             "guest_category_id": "66f1a0c2e4b0a1d2c3e41003"
                     *           }
                     *         ],
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Accesspoint"][];
                };
            };
        };
    };
    accesspoints_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Main entrance"
                 *     }
                 */
                "application/json": components["schemas"]["AccesspointCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41006",
                     *       "name": "Main entrance",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "guest_category_accesspoints": [
                     *         {
                     *           "max_allowed_accesses": 1,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *           "guest_category_id": "66f1a0c2e4b0a1d2c3e41003"
                     *         }
                     *       ],
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Accesspoint"];
                };
            };
        };
    };
    accesspoints_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41006 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41006",
                     *       "name": "Main entrance",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "guest_category_accesspoints": [
                     *         {
                     *           "max_allowed_accesses": 1,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *           "guest_category_id": "66f1a0c2e4b0a1d2c3e41003"
                     *         }
                     *       ],
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Accesspoint"];
                };
            };
        };
    };
    accesspoints_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41006 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Main entrance"
                 *     }
                 */
                "application/json": components["schemas"]["AccesspointUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41006",
                     *       "name": "Main entrance",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "guest_category_accesspoints": [
                     *         {
                     *           "max_allowed_accesses": 1,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *           "guest_category_id": "66f1a0c2e4b0a1d2c3e41003"
                     *         }
                     *       ],
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Accesspoint"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    accesspoints_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41006 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41006",
                     *       "name": "Main entrance",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "guest_category_accesspoints": [
                     *         {
                     *           "max_allowed_accesses": 1,
                     *           "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *           "guest_category_id": "66f1a0c2e4b0a1d2c3e41003"
                     *         }
                     *       ],
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Accesspoint"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    access_controls_list: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
                /** @description Only those of a guest, among the newest 10,000 */
                guest_uid?: string;
                /** @description Only those which the device decided otherwise than the server: decided_offline is not access_status */
                conflicts?: boolean;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41008",
                     *         "access_stamp": "2026-09-17T18:04:12.000Z",
                     *         "guest_uid": "ada1815",
                     *         "access_status": 0,
                     *         "decided_offline": 0,
                     *         "stamped_ahead": false,
                     *         "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-09-17T18:04:12.310Z",
                     *         "updated_at": "2026-09-17T18:04:12.310Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AccessControl"][];
                };
            };
        };
    };
    access_controls_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                 *       "guest_uid": "ada1815",
                 *       "access_stamp": "2026-09-17T18:04:12.000Z",
                 *       "decided_offline": 0
                 *     }
                 */
                "application/json": components["schemas"]["AccessControlCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41008",
                     *       "access_stamp": "2026-09-17T18:04:12.000Z",
                     *       "guest_uid": "ada1815",
                     *       "access_status": 0,
                     *       "decided_offline": 0,
                     *       "stamped_ahead": false,
                     *       "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-09-17T18:04:12.310Z",
                     *       "updated_at": "2026-09-17T18:04:12.310Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AccessControl"];
                };
            };
        };
    };
    access_controls_batch_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 10 MiB */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                 *         "guest_uid": "ada1815",
                 *         "access_stamp": "2026-09-17T18:04:12.000Z",
                 *         "decided_offline": 0
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["AccessControlCreate"][];
            };
        };
        responses: {
            /** @description At least one item was refused. Each is answered in its place; the valid ones are stored */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41008",
                     *         "access_stamp": "2026-09-17T18:04:12.000Z",
                     *         "guest_uid": "ada1815",
                     *         "access_status": 0,
                     *         "decided_offline": 0,
                     *         "stamped_ahead": false,
                     *         "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-09-17T18:04:12.310Z",
                     *         "updated_at": "2026-09-17T18:04:12.310Z"
                     *       },
                     *       {
                     *         "errors": {
                     *           "accesspoint_id": [
                     *             "can't be blank"
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": (components["schemas"]["AccessControl"] | components["schemas"]["ValidationErrors"])[];
                };
            };
        };
    };
    access_controls_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41008 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41008",
                     *       "access_stamp": "2026-09-17T18:04:12.000Z",
                     *       "guest_uid": "ada1815",
                     *       "access_status": 0,
                     *       "decided_offline": 0,
                     *       "stamped_ahead": false,
                     *       "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-09-17T18:04:12.310Z",
                     *       "updated_at": "2026-09-17T18:04:12.310Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AccessControl"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    guest_category_accesspoints_list: {
        parameters: {
            query?: {
                guest_category_id?: string;
                accesspoint_id?: string;
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41007",
                     *         "id": "66f1a0c2e4b0a1d2c3e41007",
                     *         "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *         "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *         "max_allowed_accesses": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GuestCategoryAccesspoint"][];
                };
            };
        };
    };
    guest_category_accesspoints_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                 *       "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                 *       "max_allowed_accesses": 1
                 *     }
                 */
                "application/json": components["schemas"]["GuestCategoryAccesspointCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41007",
                     *       "id": "66f1a0c2e4b0a1d2c3e41007",
                     *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *       "max_allowed_accesses": 1
                     *     }
                     */
                    "application/json": components["schemas"]["GuestCategoryAccesspoint"];
                };
            };
        };
    };
    guest_category_accesspoints_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41007 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                 *       "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                 *       "max_allowed_accesses": 1
                 *     }
                 */
                "application/json": components["schemas"]["GuestCategoryAccesspointUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41007",
                     *       "id": "66f1a0c2e4b0a1d2c3e41007",
                     *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *       "max_allowed_accesses": 1
                     *     }
                     */
                    "application/json": components["schemas"]["GuestCategoryAccesspoint"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    guest_category_accesspoints_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41007 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41007",
                     *       "id": "66f1a0c2e4b0a1d2c3e41007",
                     *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *       "max_allowed_accesses": 1
                     *     }
                     */
                    "application/json": components["schemas"]["GuestCategoryAccesspoint"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signatures_list: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41009",
                     *         "access_stamp": "2026-09-17T18:04:12.000Z",
                     *         "guest_uid": "ada1815",
                     *         "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *         "points": {
                     *           "width": "320",
                     *           "height": "160",
                     *           "lines": [
                     *             {
                     *               "x1": "12",
                     *               "y1": "80.5",
                     *               "x2": "48",
                     *               "y2": "76",
                     *               "stroke-width": "2"
                     *             }
                     *           ]
                     *         },
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-09-17T18:04:12.310Z",
                     *         "updated_at": "2026-09-17T18:04:12.310Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Signature"][];
                };
            };
        };
    };
    signatures_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 2 MiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                 *       "guest_uid": "ada1815",
                 *       "access_stamp": "2026-09-17T18:04:12.000Z",
                 *       "points": {
                 *         "width": "320",
                 *         "height": "160",
                 *         "lines": [
                 *           {
                 *             "x1": "12",
                 *             "y1": "80.5",
                 *             "x2": "48",
                 *             "y2": "76",
                 *             "stroke-width": "2"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SignatureCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41009",
                     *       "access_stamp": "2026-09-17T18:04:12.000Z",
                     *       "guest_uid": "ada1815",
                     *       "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *       "points": {
                     *         "width": "320",
                     *         "height": "160",
                     *         "lines": [
                     *           {
                     *             "x1": "12",
                     *             "y1": "80.5",
                     *             "x2": "48",
                     *             "y2": "76",
                     *             "stroke-width": "2"
                     *           }
                     *         ]
                     *       },
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-09-17T18:04:12.310Z",
                     *       "updated_at": "2026-09-17T18:04:12.310Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SignatureCreateReply"];
                };
            };
        };
    };
    signatures_batch_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 10 MiB */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                 *         "guest_uid": "ada1815",
                 *         "access_stamp": "2026-09-17T18:04:12.000Z",
                 *         "points": {
                 *           "width": "320",
                 *           "height": "160",
                 *           "lines": [
                 *             {
                 *               "x1": "12",
                 *               "y1": "80.5",
                 *               "x2": "48",
                 *               "y2": "76",
                 *               "stroke-width": "2"
                 *             }
                 *           ]
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["SignatureCreate"][];
            };
        };
        responses: {
            /** @description At least one item was refused. Each is answered in its place; the valid ones are stored */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41009",
                     *         "access_stamp": "2026-09-17T18:04:12.000Z",
                     *         "guest_uid": "ada1815",
                     *         "accesspoint_id": "66f1a0c2e4b0a1d2c3e41006",
                     *         "points": {
                     *           "width": "320",
                     *           "height": "160",
                     *           "lines": [
                     *             {
                     *               "x1": "12",
                     *               "y1": "80.5",
                     *               "x2": "48",
                     *               "y2": "76",
                     *               "stroke-width": "2"
                     *             }
                     *           ]
                     *         },
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-09-17T18:04:12.310Z",
                     *         "updated_at": "2026-09-17T18:04:12.310Z"
                     *       },
                     *       {
                     *         "errors": {
                     *           "accesspoint_id": [
                     *             "can't be blank"
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": (components["schemas"]["SignatureCreateReply"] | components["schemas"]["ValidationErrors"])[];
                };
            };
        };
    };
    snapshots_read: {
        parameters: {
            query?: {
                /** @description The `cursor` of the snapshot which the device has: the answer is the difference from it, or a whole snapshot if that is too old */
                since?: string;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"format":1,"kind":"whole","event_id":"66f1a0c2e4b0a1d2c3e41002","cursor":"3f9a1c07be52-7-1789668250120","made_at":"2026-09-17T18:04:10.120Z","salt":"66f1a0c2e4b0a1d2c3e41002","categories":[{"_id":"66f1a0c2e4b0a1d2c3e41003","name":"VIP"}],"accesspoints":[{"_id":"66f1a0c2e4b0a1d2c3e41006","name":"Main entrance","links":[[0,1]]}],"guests":{"hashes":"mEzbGqCGIrM=","categories":"AA==","own":{"guests":"","accesspoints":"","once":""},"names":{"guests":"AA==","first_names":["Ada"],"last_names":["Lovelace"]},"uses":[]},"gone":""} */
                    "application/json; charset=utf-8": string;
                };
            };
        };
    };
    promo_codes_list: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4100a",
                     *         "text": "EARLY",
                     *         "label": "Early bird",
                     *         "amount": 0.2,
                     *         "percentage_of_total": true,
                     *         "max_usage": 100,
                     *         "is_enabled": true,
                     *         "start_date": "2026-09-17T18:00:00.000Z",
                     *         "end_date": "2026-09-17T23:00:00.000Z",
                     *         "timezone": "Europe/London",
                     *         "times_used": 17,
                     *         "searchable_keywords": [
                     *           "early",
                     *           "0.2"
                     *         ],
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PromoCode"][];
                };
            };
        };
    };
    promo_codes_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "EARLY",
                 *       "label": "Early bird",
                 *       "amount": 0.2,
                 *       "percentage_of_total": true,
                 *       "max_usage": 100,
                 *       "is_enabled": true,
                 *       "start_date": "2026-09-17T18:00:00.000Z",
                 *       "end_date": "2026-09-17T23:00:00.000Z",
                 *       "timezone": "Europe/London"
                 *     }
                 */
                "application/json": components["schemas"]["PromoCodeCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100a",
                     *       "text": "EARLY",
                     *       "label": "Early bird",
                     *       "amount": 0.2,
                     *       "percentage_of_total": true,
                     *       "max_usage": 100,
                     *       "is_enabled": true,
                     *       "start_date": "2026-09-17T18:00:00.000Z",
                     *       "end_date": "2026-09-17T23:00:00.000Z",
                     *       "timezone": "Europe/London",
                     *       "times_used": 17,
                     *       "searchable_keywords": [
                     *         "early",
                     *         "0.2"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PromoCode"];
                };
            };
        };
    };
    promo_codes_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100a",
                     *       "text": "EARLY",
                     *       "label": "Early bird",
                     *       "amount": 0.2,
                     *       "percentage_of_total": true,
                     *       "max_usage": 100,
                     *       "is_enabled": true,
                     *       "start_date": "2026-09-17T18:00:00.000Z",
                     *       "end_date": "2026-09-17T23:00:00.000Z",
                     *       "timezone": "Europe/London",
                     *       "times_used": 17,
                     *       "searchable_keywords": [
                     *         "early",
                     *         "0.2"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PromoCode"];
                };
            };
        };
    };
    promo_codes_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100a */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "text": "EARLY",
                 *       "label": "Early bird",
                 *       "amount": 0.2,
                 *       "percentage_of_total": true,
                 *       "max_usage": 100,
                 *       "is_enabled": true,
                 *       "start_date": "2026-09-17T18:00:00.000Z",
                 *       "end_date": "2026-09-17T23:00:00.000Z",
                 *       "timezone": "Europe/London"
                 *     }
                 */
                "application/json": components["schemas"]["PromoCodeUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100a",
                     *       "text": "EARLY",
                     *       "label": "Early bird",
                     *       "amount": 0.2,
                     *       "percentage_of_total": true,
                     *       "max_usage": 100,
                     *       "is_enabled": true,
                     *       "start_date": "2026-09-17T18:00:00.000Z",
                     *       "end_date": "2026-09-17T23:00:00.000Z",
                     *       "timezone": "Europe/London",
                     *       "times_used": 17,
                     *       "searchable_keywords": [
                     *         "early",
                     *         "0.2"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PromoCode"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    promo_codes_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100a",
                     *       "text": "EARLY",
                     *       "label": "Early bird",
                     *       "amount": 0.2,
                     *       "percentage_of_total": true,
                     *       "max_usage": 100,
                     *       "is_enabled": true,
                     *       "start_date": "2026-09-17T18:00:00.000Z",
                     *       "end_date": "2026-09-17T23:00:00.000Z",
                     *       "timezone": "Europe/London",
                     *       "times_used": 17,
                     *       "searchable_keywords": [
                     *         "early",
                     *         "0.2"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PromoCode"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    blocked_recipients_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41010",
                     *         "address": "example.org",
                     *         "note": "Competitor",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["BlockedRecipient"][];
                };
            };
        };
    };
    blocked_recipients_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "example.org",
                 *       "note": "Competitor"
                 *     }
                 */
                "application/json": components["schemas"]["BlockedRecipientCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41010",
                     *       "address": "example.org",
                     *       "note": "Competitor",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BlockedRecipient"];
                };
            };
        };
    };
    blocked_recipients_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41010 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41010",
                     *       "address": "example.org",
                     *       "note": "Competitor",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BlockedRecipient"];
                };
            };
        };
    };
    blocked_recipients_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41010 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "address": "example.org",
                 *       "note": "Competitor"
                 *     }
                 */
                "application/json": components["schemas"]["BlockedRecipientUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41010",
                     *       "address": "example.org",
                     *       "note": "Competitor",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BlockedRecipient"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    blocked_recipients_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41010 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41010",
                     *       "address": "example.org",
                     *       "note": "Competitor",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BlockedRecipient"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    invitation_types_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *         "name": "Guests of partners",
                     *         "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *         "subject": "{{partner_name}} invites you to {{event_title}}",
                     *         "message": "Dear {{first_name}} {{last_name}}, please answer here: {{link}}",
                     *         "sender_name": "Royal Society",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["InvitationType"][];
                };
            };
        };
    };
    invitation_types_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Guests of partners",
                 *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                 *       "subject": "{{partner_name}} invites you to {{event_title}}",
                 *       "message": "Dear {{first_name}} {{last_name}}, please answer here: {{link}}",
                 *       "sender_name": "Royal Society"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationTypeCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *       "name": "Guests of partners",
                     *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "subject": "{{partner_name}} invites you to {{event_title}}",
                     *       "message": "Dear {{first_name}} {{last_name}}, please answer here: {{link}}",
                     *       "sender_name": "Royal Society",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationType"];
                };
            };
        };
    };
    invitation_types_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *       "name": "Guests of partners",
                     *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "subject": "{{partner_name}} invites you to {{event_title}}",
                     *       "message": "Dear {{first_name}} {{last_name}}, please answer here: {{link}}",
                     *       "sender_name": "Royal Society",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationType"];
                };
            };
        };
    };
    invitation_types_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Guests of partners",
                 *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                 *       "subject": "{{partner_name}} invites you to {{event_title}}",
                 *       "message": "Dear {{first_name}} {{last_name}}, please answer here: {{link}}",
                 *       "sender_name": "Royal Society"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationTypeUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *       "name": "Guests of partners",
                     *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "subject": "{{partner_name}} invites you to {{event_title}}",
                     *       "message": "Dear {{first_name}} {{last_name}}, please answer here: {{link}}",
                     *       "sender_name": "Royal Society",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationType"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    invitation_types_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *       "name": "Guests of partners",
                     *       "guest_category_id": "66f1a0c2e4b0a1d2c3e41003",
                     *       "subject": "{{partner_name}} invites you to {{event_title}}",
                     *       "message": "Dear {{first_name}} {{last_name}}, please answer here: {{link}}",
                     *       "sender_name": "Royal Society",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationType"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    mail_events_batch_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 10 MiB */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "invitation_id": "66f1a0c2e4b0a1d2c3e4100f",
                 *         "type": "bounced",
                 *         "bounce_type": "hard",
                 *         "occurred_at": "2026-06-01T08:00:09.000Z",
                 *         "reason": "550 5.1.1 No such user"
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["MailEventBatchCreate"][];
            };
        };
        responses: {
            /** @description At least one item was refused. Each is answered in its place; the valid ones are stored */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "invitation_id": "66f1a0c2e4b0a1d2c3e4100f",
                     *         "type": "bounced",
                     *         "bounce_type": "hard",
                     *         "occurred_at": "2026-06-01T08:00:09.000Z",
                     *         "reason": "550 5.1.1 No such user",
                     *         "state": "bounced"
                     *       },
                     *       {
                     *         "errors": {
                     *           "invitation_id": [
                     *             "can't be blank"
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": (components["schemas"]["MailEvent"] | components["schemas"]["ValidationErrors"])[];
                };
            };
        };
    };
    own_campaigns_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example gh_partner_not-a-real-secret-but-as-long-as-one-is-000 */
                partner_access_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *       "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *       "invitation_type_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *       "quota": 200,
                     *       "paused_at": null,
                     *       "pause_reason": null,
                     *       "used": 120,
                     *       "left": 80,
                     *       "nb_recipients": 121,
                     *       "nb_recipients_email_sent": 118,
                     *       "nb_email_sent": 118,
                     *       "unknown_recipients": 0,
                     *       "rejected_recipients": 1,
                     *       "blacklisted_recipients": 0,
                     *       "bounced_recipients": 2,
                     *       "spammed_recipients": 0,
                     *       "unsubscribed_recipients": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    partner_access_tokens_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100b */
                partner_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                partner_campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4100e",
                     *         "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *         "partner_campaign_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *         "expires_at": "2035-12-31T23:00:00.000Z",
                     *         "created_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PartnerAccessToken"][];
                };
            };
        };
    };
    partner_access_tokens_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100b */
                partner_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                partner_campaign_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expires_at": "2035-12-31T23:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["PartnerAccessTokenCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100e",
                     *       "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *       "partner_campaign_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *       "expires_at": "2035-12-31T23:00:00.000Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "token": "gh_partner_not-a-real-secret-but-as-long-as-one-is-000",
                     *       "page_url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/partner/gh_partner_not-a-real-secret-but-as-long-as-one-is-000"
                     *     }
                     */
                    "application/json": components["schemas"]["PartnerAccessTokenCreateReply"];
                };
            };
        };
    };
    partner_access_tokens_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100b */
                partner_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                partner_campaign_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100e */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100e",
                     *       "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *       "partner_campaign_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *       "expires_at": "2035-12-31T23:00:00.000Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PartnerAccessToken"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    partner_campaigns_list: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                invitation_type_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *         "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *         "quota": 200,
                     *         "platform_promo_code_amount": null,
                     *         "platform_promo_code_percentage_of_total": null,
                     *         "platform_promo_code_text": null,
                     *         "platform_promo_code_max_usage": null,
                     *         "platform_promo_code_id": null,
                     *         "invitation_type_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *         "from_mailer": null,
                     *         "metadata": {},
                     *         "nb_email_sent": 118,
                     *         "reply_to": "guests@example.com",
                     *         "paused_at": null,
                     *         "pause_reason": null,
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PartnerCampaign"][];
                };
            };
        };
    };
    partner_campaigns_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                invitation_type_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                 *       "quota": 200
                 *     }
                 */
                "application/json": components["schemas"]["PartnerCampaignCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *       "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *       "quota": 200,
                     *       "platform_promo_code_amount": null,
                     *       "platform_promo_code_percentage_of_total": null,
                     *       "platform_promo_code_text": null,
                     *       "platform_promo_code_max_usage": null,
                     *       "platform_promo_code_id": null,
                     *       "invitation_type_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *       "from_mailer": null,
                     *       "metadata": {},
                     *       "nb_email_sent": 118,
                     *       "reply_to": "guests@example.com",
                     *       "paused_at": null,
                     *       "pause_reason": null,
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PartnerCampaign"];
                };
            };
        };
    };
    partner_campaigns_resume: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                invitation_type_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *       "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *       "quota": 200,
                     *       "platform_promo_code_amount": null,
                     *       "platform_promo_code_percentage_of_total": null,
                     *       "platform_promo_code_text": null,
                     *       "platform_promo_code_max_usage": null,
                     *       "platform_promo_code_id": null,
                     *       "invitation_type_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *       "from_mailer": null,
                     *       "metadata": {},
                     *       "nb_email_sent": 118,
                     *       "reply_to": "guests@example.com",
                     *       "paused_at": null,
                     *       "pause_reason": null,
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PartnerCampaign"];
                };
            };
        };
    };
    partner_campaigns_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                invitation_type_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the object with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *       "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *       "quota": 200,
                     *       "platform_promo_code_amount": null,
                     *       "platform_promo_code_percentage_of_total": null,
                     *       "platform_promo_code_text": null,
                     *       "platform_promo_code_max_usage": null,
                     *       "platform_promo_code_id": null,
                     *       "invitation_type_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *       "from_mailer": null,
                     *       "metadata": {},
                     *       "nb_email_sent": 118,
                     *       "reply_to": "guests@example.com",
                     *       "paused_at": null,
                     *       "pause_reason": null,
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PartnerCampaign"];
                };
            };
        };
    };
    partner_invitations_list: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
                /** @description queued; sent: the mail server took it; unknown: it may have been handed over, and is not sent again; rejected: the mail server refused it for good; blocked by the organizer, or its recipient has unsubscribed from another one of the event, or complained of one, or one came back; unsubscribed: by its recipient; bounced: the e-mail came back for good; complained: its recipient called it spam */
                state?: "queued" | "sent" | "unknown" | "rejected" | "blocked" | "bounced" | "complained" | "unsubscribed";
                /** @description pending: those which wait for the organizer */
                registration_state?: "pending" | "approved" | "rejected";
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                invitation_type_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                partner_campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4100f",
                     *         "email": "ada@example.com",
                     *         "first_name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "locale": "en",
                     *         "guest_metadata": [
                     *           {
                     *             "name": "diet",
                     *             "value": "vegetarian"
                     *           }
                     *         ],
                     *         "state": "sent",
                     *         "reason": null,
                     *         "sent_at": "2026-06-01T08:00:03.120Z",
                     *         "opened_at": null,
                     *         "answer": "accepted",
                     *         "registration_state": "registration state",
                     *         "confirmed_at": "2026-09-17T18:04:12.310Z",
                     *         "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *         "partner_campaign_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PartnerInvitation"][];
                };
            };
        };
    };
    partner_invitations_list_own: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
                /** @description queued; sent: the mail server took it; unknown: it may have been handed over, and is not sent again; rejected: the mail server refused it for good; blocked by the organizer, or its recipient has unsubscribed from another one of the event, or complained of one, or one came back; unsubscribed: by its recipient; bounced: the e-mail came back for good; complained: its recipient called it spam */
                state?: "queued" | "sent" | "unknown" | "rejected" | "blocked" | "bounced" | "complained" | "unsubscribed";
                /** @description pending: those which wait for the organizer */
                registration_state?: "pending" | "approved" | "rejected";
            };
            header?: never;
            path: {
                /** @example gh_partner_not-a-real-secret-but-as-long-as-one-is-000 */
                partner_access_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4100f",
                     *         "email": "ada@example.com",
                     *         "first_name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "locale": "en",
                     *         "guest_metadata": [
                     *           {
                     *             "name": "diet",
                     *             "value": "vegetarian"
                     *           }
                     *         ],
                     *         "state": "sent",
                     *         "reason": null,
                     *         "sent_at": "2026-06-01T08:00:03.120Z",
                     *         "opened_at": null,
                     *         "answer": "accepted",
                     *         "registration_state": "registration state",
                     *         "confirmed_at": "2026-09-17T18:04:12.310Z",
                     *         "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *         "partner_campaign_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PartnerInvitation"][];
                };
            };
        };
    };
    partner_invitations_batch_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example gh_partner_not-a-real-secret-but-as-long-as-one-is-000 */
                partner_access_token: string;
            };
            cookie?: never;
        };
        /** @description At most 10 MiB */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "email": "ada@example.com",
                 *         "first_name": "Ada",
                 *         "last_name": "Lovelace",
                 *         "locale": "en",
                 *         "guest_metadata": [
                 *           {
                 *             "name": "diet",
                 *             "value": "vegetarian"
                 *           }
                 *         ]
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["PartnerInvitationBatchCreate"][];
            };
        };
        responses: {
            /** @description At least one item was refused. Each is answered in its place; the valid ones are stored */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4100f",
                     *         "email": "ada@example.com",
                     *         "first_name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "locale": "en",
                     *         "guest_metadata": [
                     *           {
                     *             "name": "diet",
                     *             "value": "vegetarian"
                     *           }
                     *         ],
                     *         "state": "sent",
                     *         "reason": null,
                     *         "sent_at": "2026-06-01T08:00:03.120Z",
                     *         "opened_at": null,
                     *         "answer": "accepted",
                     *         "registration_state": "registration state",
                     *         "confirmed_at": "2026-09-17T18:04:12.310Z",
                     *         "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *         "partner_campaign_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       },
                     *       {
                     *         "errors": {
                     *           "email": [
                     *             "can't be blank"
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": (components["schemas"]["PartnerInvitation"] | components["schemas"]["ValidationErrors"])[];
                };
            };
        };
    };
    partners_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *         "name": "Royal Society",
                     *         "uid": "royal-society",
                     *         "recipients_quota": 500,
                     *         "disable_emails": false,
                     *         "nb_email_sent": 118,
                     *         "nb_recipients": 121,
                     *         "nb_recipients_email_sent": 118,
                     *         "blacklisted_recipients": 0,
                     *         "bounced_recipients": 2,
                     *         "rejected_recipients": 1,
                     *         "spammed_recipients": 0,
                     *         "unsubscribed_recipients": 1,
                     *         "blacklisted_percentage": 0,
                     *         "bounced_percentage": 0,
                     *         "rejected_percentage": 0,
                     *         "spammed_percentage": 0,
                     *         "unsubscribed_percentage": 0,
                     *         "partner_campaigns": [
                     *           {
                     *             "_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *             "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *             "quota": 200,
                     *             "platform_promo_code_amount": null,
                     *             "platform_promo_code_percentage_of_total": null,
                     *             "platform_promo_code_text": null,
                     *             "platform_promo_code_max_usage": null,
                     *             "platform_promo_code_id": null,
                     *             "invitation_type_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *             "from_mailer": null,
                     *             "metadata": {},
                     *             "nb_email_sent": 118,
                     *             "reply_to": "guests@example.com",
                     *             "paused_at": null,
                     *             "pause_reason": null,
                     *             "created_at": "2026-05-04T09:12:31.250Z",
                     *             "updated_at": "2026-05-04T09:12:31.250Z"
                     *           }
                     *         ],
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Partner"][];
                };
            };
        };
    };
    partners_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Royal Society",
                 *       "uid": "royal-society",
                 *       "recipients_quota": 500,
                 *       "disable_emails": false
                 *     }
                 */
                "application/json": components["schemas"]["PartnerCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *       "name": "Royal Society",
                     *       "uid": "royal-society",
                     *       "recipients_quota": 500,
                     *       "disable_emails": false,
                     *       "nb_email_sent": 118,
                     *       "nb_recipients": 121,
                     *       "nb_recipients_email_sent": 118,
                     *       "blacklisted_recipients": 0,
                     *       "bounced_recipients": 2,
                     *       "rejected_recipients": 1,
                     *       "spammed_recipients": 0,
                     *       "unsubscribed_recipients": 1,
                     *       "blacklisted_percentage": 0,
                     *       "bounced_percentage": 0,
                     *       "rejected_percentage": 0,
                     *       "spammed_percentage": 0,
                     *       "unsubscribed_percentage": 0,
                     *       "partner_campaigns": [
                     *         {
                     *           "_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *           "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *           "quota": 200,
                     *           "platform_promo_code_amount": null,
                     *           "platform_promo_code_percentage_of_total": null,
                     *           "platform_promo_code_text": null,
                     *           "platform_promo_code_max_usage": null,
                     *           "platform_promo_code_id": null,
                     *           "invitation_type_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *           "from_mailer": null,
                     *           "metadata": {},
                     *           "nb_email_sent": 118,
                     *           "reply_to": "guests@example.com",
                     *           "paused_at": null,
                     *           "pause_reason": null,
                     *           "created_at": "2026-05-04T09:12:31.250Z",
                     *           "updated_at": "2026-05-04T09:12:31.250Z"
                     *         }
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
        };
    };
    partners_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100b */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *       "name": "Royal Society",
                     *       "uid": "royal-society",
                     *       "recipients_quota": 500,
                     *       "disable_emails": false,
                     *       "nb_email_sent": 118,
                     *       "nb_recipients": 121,
                     *       "nb_recipients_email_sent": 118,
                     *       "blacklisted_recipients": 0,
                     *       "bounced_recipients": 2,
                     *       "rejected_recipients": 1,
                     *       "spammed_recipients": 0,
                     *       "unsubscribed_recipients": 1,
                     *       "blacklisted_percentage": 0,
                     *       "bounced_percentage": 0,
                     *       "rejected_percentage": 0,
                     *       "spammed_percentage": 0,
                     *       "unsubscribed_percentage": 0,
                     *       "partner_campaigns": [
                     *         {
                     *           "_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *           "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *           "quota": 200,
                     *           "platform_promo_code_amount": null,
                     *           "platform_promo_code_percentage_of_total": null,
                     *           "platform_promo_code_text": null,
                     *           "platform_promo_code_max_usage": null,
                     *           "platform_promo_code_id": null,
                     *           "invitation_type_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *           "from_mailer": null,
                     *           "metadata": {},
                     *           "nb_email_sent": 118,
                     *           "reply_to": "guests@example.com",
                     *           "paused_at": null,
                     *           "pause_reason": null,
                     *           "created_at": "2026-05-04T09:12:31.250Z",
                     *           "updated_at": "2026-05-04T09:12:31.250Z"
                     *         }
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
        };
    };
    partners_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100b */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Royal Society",
                 *       "uid": "royal-society",
                 *       "recipients_quota": 500,
                 *       "disable_emails": false
                 *     }
                 */
                "application/json": components["schemas"]["PartnerUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *       "name": "Royal Society",
                     *       "uid": "royal-society",
                     *       "recipients_quota": 500,
                     *       "disable_emails": false,
                     *       "nb_email_sent": 118,
                     *       "nb_recipients": 121,
                     *       "nb_recipients_email_sent": 118,
                     *       "blacklisted_recipients": 0,
                     *       "bounced_recipients": 2,
                     *       "rejected_recipients": 1,
                     *       "spammed_recipients": 0,
                     *       "unsubscribed_recipients": 1,
                     *       "blacklisted_percentage": 0,
                     *       "bounced_percentage": 0,
                     *       "rejected_percentage": 0,
                     *       "spammed_percentage": 0,
                     *       "unsubscribed_percentage": 0,
                     *       "partner_campaigns": [
                     *         {
                     *           "_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *           "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *           "quota": 200,
                     *           "platform_promo_code_amount": null,
                     *           "platform_promo_code_percentage_of_total": null,
                     *           "platform_promo_code_text": null,
                     *           "platform_promo_code_max_usage": null,
                     *           "platform_promo_code_id": null,
                     *           "invitation_type_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *           "from_mailer": null,
                     *           "metadata": {},
                     *           "nb_email_sent": 118,
                     *           "reply_to": "guests@example.com",
                     *           "paused_at": null,
                     *           "pause_reason": null,
                     *           "created_at": "2026-05-04T09:12:31.250Z",
                     *           "updated_at": "2026-05-04T09:12:31.250Z"
                     *         }
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    partners_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100b */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the object with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *       "name": "Royal Society",
                     *       "uid": "royal-society",
                     *       "recipients_quota": 500,
                     *       "disable_emails": false,
                     *       "nb_email_sent": 118,
                     *       "nb_recipients": 121,
                     *       "nb_recipients_email_sent": 118,
                     *       "blacklisted_recipients": 0,
                     *       "bounced_recipients": 2,
                     *       "rejected_recipients": 1,
                     *       "spammed_recipients": 0,
                     *       "unsubscribed_recipients": 1,
                     *       "blacklisted_percentage": 0,
                     *       "bounced_percentage": 0,
                     *       "rejected_percentage": 0,
                     *       "spammed_percentage": 0,
                     *       "unsubscribed_percentage": 0,
                     *       "partner_campaigns": [
                     *         {
                     *           "_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *           "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *           "quota": 200,
                     *           "platform_promo_code_amount": null,
                     *           "platform_promo_code_percentage_of_total": null,
                     *           "platform_promo_code_text": null,
                     *           "platform_promo_code_max_usage": null,
                     *           "platform_promo_code_id": null,
                     *           "invitation_type_id": "66f1a0c2e4b0a1d2c3e4100c",
                     *           "from_mailer": null,
                     *           "metadata": {},
                     *           "nb_email_sent": 118,
                     *           "reply_to": "guests@example.com",
                     *           "paused_at": null,
                     *           "pause_reason": null,
                     *           "created_at": "2026-05-04T09:12:31.250Z",
                     *           "updated_at": "2026-05-04T09:12:31.250Z"
                     *         }
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
        };
    };
    registrations_decide: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100c */
                invitation_type_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100d */
                partner_campaign_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4100f */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "registration_state": "approved"
                 *     }
                 */
                "application/json": components["schemas"]["PartnerInvitationDecide"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4100f",
                     *       "email": "ada@example.com",
                     *       "first_name": "Ada",
                     *       "last_name": "Lovelace",
                     *       "locale": "en",
                     *       "guest_metadata": [
                     *         {
                     *           "name": "diet",
                     *           "value": "vegetarian"
                     *         }
                     *       ],
                     *       "state": "sent",
                     *       "reason": null,
                     *       "sent_at": "2026-06-01T08:00:03.120Z",
                     *       "opened_at": null,
                     *       "answer": "accepted",
                     *       "registration_state": "registration state",
                     *       "confirmed_at": "2026-09-17T18:04:12.310Z",
                     *       "partner_id": "66f1a0c2e4b0a1d2c3e4100b",
                     *       "partner_campaign_id": "66f1a0c2e4b0a1d2c3e4100d",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PartnerInvitation"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    suppressions_list: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
                /** @description Only this e-mail address */
                address?: string;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41011",
                     *         "address": "grace@example.org",
                     *         "cause": "bounced",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Suppression"][];
                };
            };
        };
    };
    suppressions_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41011 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41011",
                     *       "address": "grace@example.org",
                     *       "cause": "bounced",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    test_sends_send: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4e0a0 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["TestSendSend"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "ada@example.com",
                     *       "subject": "subject"
                     *     }
                     */
                    "application/json": components["schemas"]["TestSend"];
                };
            };
        };
    };
    connections_list: {
        parameters: {
            query?: {
                /** @description From 1; the whole list where neither is given */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41012 */
                exhibitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41013",
                     *         "guest_uid": "ada1815",
                     *         "author": "Charles Babbage",
                     *         "exhibitor_id": "66f1a0c2e4b0a1d2c3e41012",
                     *         "comments": [
                     *           "Asked for a demo"
                     *         ],
                     *         "exhibitor_products": [],
                     *         "created_at": "2026-09-17T19:21:40.120Z",
                     *         "updated_at": "2026-09-17T19:21:40.120Z",
                     *         "guest_id": "66f1a0c2e4b0a1d2c3e41005",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Connection"][];
                };
            };
        };
    };
    connections_batch_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example gh_exhibitor_not-a-real-secret-but-as-long-as-one-is-000 */
                access_token: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "guest_uid": "ada1815",
                 *         "author": "Charles Babbage",
                 *         "comments": [
                 *           "Asked for a demo"
                 *         ]
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["ConnectionBatchCreate"][];
            };
        };
        responses: {
            /** @description At least one item was refused. Each is answered in its place; the valid ones are stored */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41013",
                     *         "guest_uid": "ada1815",
                     *         "author": "Charles Babbage",
                     *         "exhibitor_id": "66f1a0c2e4b0a1d2c3e41012",
                     *         "comments": [
                     *           "Asked for a demo"
                     *         ],
                     *         "exhibitor_products": [],
                     *         "created_at": "2026-09-17T19:21:40.120Z",
                     *         "updated_at": "2026-09-17T19:21:40.120Z"
                     *       },
                     *       {
                     *         "errors": {
                     *           "guest_uid": [
                     *             "can't be blank"
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": (components["schemas"]["ConnectionBatchCreateReply"] | components["schemas"]["ValidationErrors"])[];
                };
            };
        };
    };
    exhibitors_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41012",
                     *         "name": "Difference Engines",
                     *         "email": "stand@example.com",
                     *         "meta_data": {
                     *           "stand": "B12"
                     *         },
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Exhibitor"][];
                };
            };
        };
    };
    exhibitors_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Difference Engines",
                 *       "email": "stand@example.com",
                 *       "meta_data": {
                 *         "stand": "B12"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ExhibitorCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41012",
                     *       "name": "Difference Engines",
                     *       "email": "stand@example.com",
                     *       "meta_data": {
                     *         "stand": "B12"
                     *       },
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z",
                     *       "access_token": "gh_exhibitor_not-a-real-secret-but-as-long-as-one-is-000"
                     *     }
                     */
                    "application/json": components["schemas"]["ExhibitorCreateReply"];
                };
            };
        };
    };
    exhibitors_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41012 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41012",
                     *       "name": "Difference Engines",
                     *       "email": "stand@example.com",
                     *       "meta_data": {
                     *         "stand": "B12"
                     *       },
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Exhibitor"];
                };
            };
        };
    };
    exhibitors_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41012 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Difference Engines",
                 *       "email": "stand@example.com",
                 *       "meta_data": {
                 *         "stand": "B12"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ExhibitorUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41012",
                     *       "name": "Difference Engines",
                     *       "email": "stand@example.com",
                     *       "meta_data": {
                     *         "stand": "B12"
                     *       },
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Exhibitor"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    exhibitors_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41012 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41012",
                     *       "name": "Difference Engines",
                     *       "email": "stand@example.com",
                     *       "meta_data": {
                     *         "stand": "B12"
                     *       },
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Exhibitor"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    exhibitors_roll_token: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41012 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41012",
                     *       "name": "Difference Engines",
                     *       "email": "stand@example.com",
                     *       "meta_data": {
                     *         "stand": "B12"
                     *       },
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z",
                     *       "access_token": "gh_exhibitor_not-a-real-secret-but-as-long-as-one-is-000"
                     *     }
                     */
                    "application/json": components["schemas"]["ExhibitorCreateReply"];
                };
            };
        };
    };
    lead_guests_read: {
        parameters: {
            query?: {
                /**
                 * @description The exhibitor’s access token
                 * @example gh_exhibitor_not-a-real-secret-but-as-long-as-one-is-000
                 */
                access_token?: string | null;
            };
            header?: never;
            path: {
                /** @example ada1815 */
                guest_uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "ada@example.com",
                     *       "first_name": "Ada",
                     *       "last_name": "Lovelace",
                     *       "company_name": "Analytical Engines",
                     *       "uid": "ada1815"
                     *     }
                     */
                    "application/json": components["schemas"]["LeadGuest"];
                };
            };
        };
    };
    licenses_activate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example gh_exhibitor_not-a-real-secret-but-as-long-as-one-is-000 */
                access_token: string;
            };
            cookie?: never;
        };
        /** @description At most 4 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "signature": "9c1185a5c5e9fc54612808977ee8f548b2258d31ddadef7bd4b1c7d5a1c3b5a0"
                 *     }
                 */
                "application/json": components["schemas"]["LicenseActivate"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "qr_code_ciphering_enabled": true,
                     *       "qr_code_ciphering_key": "bm90LWEtcmVhbC1rZXktb25seS1hbi1leGFtcGxlLi4=",
                     *       "qr_code_ciphering_iv": "bm90LWEtcmVhbC1pdi4uLg==",
                     *       "app": "Lead scanner"
                     *     }
                     */
                    "application/json": components["schemas"]["License"];
                };
            };
        };
    };
    badges_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
                /** @example not-a-real-secret-but-as-long-as-one-is-000 */
                secret: string;
                format: "pdf";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            302: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    badges_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
                /** @example not-a-real-secret-but-as-long-as-one-is-000 */
                secret: string;
                format: "pdf";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    files_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "key": "portrait",
                     *         "label": "Portrait",
                     *         "filename": "portrait.jpg",
                     *         "content_type": "image/jpeg",
                     *         "size": 48213,
                     *         "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/files/portrait.jpg",
                     *         "created_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["File"][];
                };
            };
        };
    };
    files_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
                /** @example portrait */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "portrait",
                     *       "label": "Portrait",
                     *       "filename": "portrait.jpg",
                     *       "content_type": "image/jpeg",
                     *       "size": 48213,
                     *       "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/files/portrait.jpg",
                     *       "created_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["File"];
                };
            };
        };
    };
    files_upload: {
        parameters: {
            query?: {
                /** @description The key with the suffix of the type where it is not given */
                filename?: string;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
                /** @example portrait */
                key: string;
            };
            cookie?: never;
        };
        /** @description At most 5 MiB */
        requestBody: {
            content: {
                "application/pdf": string;
                "image/png": string;
                "image/jpeg": string;
                "image/webp": string;
                "image/gif": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "portrait",
                     *       "label": "Portrait",
                     *       "filename": "portrait.jpg",
                     *       "content_type": "image/jpeg",
                     *       "size": 48213,
                     *       "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/files/portrait.jpg",
                     *       "created_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["File"];
                };
            };
        };
    };
    files_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
                /** @example portrait */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "portrait",
                     *       "label": "Portrait",
                     *       "filename": "portrait.jpg",
                     *       "content_type": "image/jpeg",
                     *       "size": 48213,
                     *       "url": "https://gatehouse.example.com/api/v1/events/66f1a0c2e4b0a1d2c3e41002/guests/66f1a0c2e4b0a1d2c3e41005/files/portrait.jpg",
                     *       "created_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    qr_codes_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41005 */
                guest_id: string;
                /** @example not-a-real-secret-but-as-long-as-one-is-000 */
                secret: string;
                format: "png" | "svg";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/svg+xml": string;
                };
            };
        };
    };
    qr_codes_decipher: {
        parameters: {
            query?: {
                content?: string;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "content": "MECARD:UID:ada1815;;"
                     *     }
                     */
                    "application/json": components["schemas"]["QrCode"];
                };
            };
        };
    };
    qr_codes_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "qr_code_ciphering_key": "bm90LWEtcmVhbC1rZXktb25seS1hbi1leGFtcGxlLi4=",
                     *       "qr_code_ciphering_iv": "bm90LWEtcmVhbC1pdi4uLg=="
                     *     }
                     */
                    "application/json": components["schemas"]["QrCodeKey"];
                };
            };
        };
    };
    deliveries_list: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41015 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41016",
                     *         "webhook_id": "66f1a0c2e4b0a1d2c3e41015",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "event_type": "check_in.created",
                     *         "state": "delivered",
                     *         "attempt_count": 1,
                     *         "next_attempt_at": null,
                     *         "last_attempt_at": "2026-09-17T18:04:12.310Z",
                     *         "response_status": 204,
                     *         "error": null,
                     *         "created_at": "2026-09-17T18:04:12.310Z",
                     *         "updated_at": "2026-09-17T18:04:12.310Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Delivery"][];
                };
            };
        };
    };
    deliveries_replay: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41015 */
                webhook_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e41016 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41016",
                     *       "webhook_id": "66f1a0c2e4b0a1d2c3e41015",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "event_type": "check_in.created",
                     *       "state": "delivered",
                     *       "attempt_count": 1,
                     *       "next_attempt_at": null,
                     *       "last_attempt_at": "2026-09-17T18:04:12.310Z",
                     *       "response_status": 204,
                     *       "error": null,
                     *       "created_at": "2026-09-17T18:04:12.310Z",
                     *       "updated_at": "2026-09-17T18:04:12.310Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    webhook_secrets_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_bm90LWEtcmVhbC1rZXktb25seS1hbi1leGFtcGxlLi4=",
                     *       "previous_expires_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
        };
    };
    webhook_secrets_roll: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_bm90LWEtcmVhbC1rZXktb25seS1hbi1leGFtcGxlLi4=",
                     *       "previous_expires_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
        };
    };
    webhooks_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41015",
                     *         "url": "https://hooks.example.com/gatehouse",
                     *         "event_types": [
                     *           "check_in.created"
                     *         ],
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "access_statuses": [
                     *           0
                     *         ],
                     *         "payload": "standard",
                     *         "is_enabled": true,
                     *         "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Webhook"][];
                };
            };
        };
    };
    webhooks_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/gatehouse",
                 *       "event_types": [
                 *         "check_in.created"
                 *       ],
                 *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                 *       "access_statuses": [
                 *         0
                 *       ],
                 *       "payload": "standard",
                 *       "is_enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41015",
                     *       "url": "https://hooks.example.com/gatehouse",
                     *       "event_types": [
                     *         "check_in.created"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "access_statuses": [
                     *         0
                     *       ],
                     *       "payload": "standard",
                     *       "is_enabled": true,
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    webhooks_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41015 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41015",
                     *       "url": "https://hooks.example.com/gatehouse",
                     *       "event_types": [
                     *         "check_in.created"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "access_statuses": [
                     *         0
                     *       ],
                     *       "payload": "standard",
                     *       "is_enabled": true,
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    webhooks_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41015 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/gatehouse",
                 *       "event_types": [
                 *         "check_in.created"
                 *       ],
                 *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                 *       "access_statuses": [
                 *         0
                 *       ],
                 *       "payload": "standard",
                 *       "is_enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41015",
                     *       "url": "https://hooks.example.com/gatehouse",
                     *       "event_types": [
                     *         "check_in.created"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "access_statuses": [
                     *         0
                     *       ],
                     *       "payload": "standard",
                     *       "is_enabled": true,
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhooks_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41015 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41015",
                     *       "url": "https://hooks.example.com/gatehouse",
                     *       "event_types": [
                     *         "check_in.created"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "access_statuses": [
                     *         0
                     *       ],
                     *       "payload": "standard",
                     *       "is_enabled": true,
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    accounts_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "slug": "acme",
                     *       "name": "Acme Events",
                     *       "color": "#1d3557",
                     *       "locale": "en",
                     *       "sso_host": null,
                     *       "answers_updates": false,
                     *       "created_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    accounts_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme Events",
                 *       "color": "#1d3557",
                 *       "locale": "en",
                 *       "answers_updates": false
                 *     }
                 */
                "application/json": components["schemas"]["AccountUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "slug": "acme",
                     *       "name": "Acme Events",
                     *       "color": "#1d3557",
                     *       "locale": "en",
                     *       "sso_host": null,
                     *       "answers_updates": false,
                     *       "created_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    tokens_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41017",
                     *         "name": "Tablet at the main entrance",
                     *         "scope": "door",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *         "created_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Token"][];
                };
            };
        };
    };
    tokens_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Tablet at the main entrance",
                 *       "scope": "door",
                 *       "event_id": "66f1a0c2e4b0a1d2c3e41002"
                 *     }
                 */
                "application/json": components["schemas"]["TokenCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41017",
                     *       "name": "Tablet at the main entrance",
                     *       "scope": "door",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "token": "gh_not-a-real-secret-but-as-long-as-one-is-000"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenCreateReply"];
                };
            };
        };
    };
    tokens_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41017 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41017",
                     *       "name": "Tablet at the main entrance",
                     *       "scope": "door",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    tokens_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "66f1a0c2e4b0a1d2c3e41017",
                     *       "email": "ada@example.com",
                     *       "first_name": "Ada",
                     *       "last_name": "Lovelace",
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "account": "acme",
                     *       "token_id": "66f1a0c2e4b0a1d2c3e41017",
                     *       "name": "Tablet at the main entrance",
                     *       "scope": "door",
                     *       "role": "owner",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "created_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenMeReply"];
                };
            };
        };
    };
    audit_records_list: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
                kind?: "sign_in" | "sign_in_failed" | "sign_out" | "code_sent" | "consent" | "revocation" | "password_changed" | "contact_blocked" | "contact_unblocked" | "passkey_created" | "passkey_renamed" | "passkey_deleted" | "act";
                contact_id?: string;
                event_id?: string;
                /** @description The token which did it */
                token_id?: string;
                /** @description What it was done to */
                resource_id?: string;
                /** @description An action, or all of a resource or service: `guests.events.update`, `guests.events`, `guests` */
                action?: string;
                /** @description At or after: ISO 8601 or Unix seconds. Unix seconds are accepted too */
                since?: string;
                /** @description Before. Unix seconds are accepted too */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4101b",
                     *         "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *         "kind": "act",
                     *         "contact_id": null,
                     *         "client_id": null,
                     *         "address": "203.0.113.7",
                     *         "action": "guests.events.update",
                     *         "resource_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "token_id": "66f1a0c2e4b0a1d2c3e41017",
                     *         "token_name": "Office",
                     *         "changed_fields": [
                     *           "title"
                     *         ],
                     *         "items": null,
                     *         "outcome": "done",
                     *         "created_at": "2026-09-16T20:41:03.118Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AuditRecord"][];
                };
            };
        };
    };
    contact_fields_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e41019",
                     *         "key": "job",
                     *         "label": "Job",
                     *         "type": "text",
                     *         "available_values": [],
                     *         "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ContactField"][];
                };
            };
        };
    };
    contact_fields_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "job",
                 *       "label": "Job",
                 *       "type": "text",
                 *       "available_values": []
                 *     }
                 */
                "application/json": components["schemas"]["ContactFieldCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41019",
                     *       "key": "job",
                     *       "label": "Job",
                     *       "type": "text",
                     *       "available_values": [],
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactField"];
                };
            };
        };
    };
    contact_fields_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41019 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41019",
                     *       "key": "job",
                     *       "label": "Job",
                     *       "type": "text",
                     *       "available_values": [],
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactField"];
                };
            };
        };
    };
    contact_fields_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41019 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "key": "job",
                 *       "label": "Job",
                 *       "type": "text",
                 *       "available_values": []
                 *     }
                 */
                "application/json": components["schemas"]["ContactFieldUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41019",
                     *       "key": "job",
                     *       "label": "Job",
                     *       "type": "text",
                     *       "available_values": [],
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactField"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contact_fields_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41019 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e41019",
                     *       "key": "job",
                     *       "label": "Job",
                     *       "type": "text",
                     *       "available_values": [],
                     *       "account_id": "66f1a0c2e4b0a1d2c3e41001",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ContactField"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contacts_list: {
        parameters: {
            query?: {
                /** @description From 1; past the end the list is empty */
                page?: number;
                /** @description 500 at most: more is read as 500 */
                per_page?: number;
                /** @description The contact with this e-mail address, whatever its case */
                email?: string;
                /** @description Each word must begin a word of the e-mail address or the name */
                search?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "job": "Mathematician",
                     *         "_id": "66f1a0c2e4b0a1d2c3e41018",
                     *         "email": "ada@example.com",
                     *         "first_name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "is_blocked": false,
                     *         "has_password": true,
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Contact"][];
                };
            };
        };
    };
    contacts_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "job": "Mathematician",
                 *       "email": "ada@example.com",
                 *       "first_name": "Ada",
                 *       "last_name": "Lovelace",
                 *       "is_blocked": false,
                 *       "password": "a long enough password"
                 *     }
                 */
                "application/json": components["schemas"]["ContactCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job": "Mathematician",
                     *       "_id": "66f1a0c2e4b0a1d2c3e41018",
                     *       "email": "ada@example.com",
                     *       "first_name": "Ada",
                     *       "last_name": "Lovelace",
                     *       "is_blocked": false,
                     *       "has_password": true,
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    contacts_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41018 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job": "Mathematician",
                     *       "_id": "66f1a0c2e4b0a1d2c3e41018",
                     *       "email": "ada@example.com",
                     *       "first_name": "Ada",
                     *       "last_name": "Lovelace",
                     *       "is_blocked": false,
                     *       "has_password": true,
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    contacts_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41018 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "job": "Mathematician",
                 *       "email": "ada@example.com",
                 *       "first_name": "Ada",
                 *       "last_name": "Lovelace",
                 *       "is_blocked": false,
                 *       "password": "a long enough password"
                 *     }
                 */
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job": "Mathematician",
                     *       "_id": "66f1a0c2e4b0a1d2c3e41018",
                     *       "email": "ada@example.com",
                     *       "first_name": "Ada",
                     *       "last_name": "Lovelace",
                     *       "is_blocked": false,
                     *       "has_password": true,
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Contact"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contacts_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41018 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job": "Mathematician",
                     *       "_id": "66f1a0c2e4b0a1d2c3e41018",
                     *       "email": "ada@example.com",
                     *       "first_name": "Ada",
                     *       "last_name": "Lovelace",
                     *       "is_blocked": false,
                     *       "has_password": true,
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Contact"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contacts_import: {
        parameters: {
            query?: {
                /** @description Of a text, instead of the guessed one: windows-1250 */
                encoding?: string;
                /** @description Of a workbook, instead of the first one */
                sheet?: string;
            };
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 10 MiB */
        requestBody: {
            content: {
                /**
                 * @example email,first_name,last_name
                 *     ada@example.com,Ada,Lovelace
                 */
                "text/csv": string;
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                "application/vnd.oasis.opendocument.spreadsheet": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": 118,
                     *       "already_there": 2,
                     *       "refused": 1,
                     *       "left": 0,
                     *       "refused_lines": [
                     *         {
                     *           "line": 57,
                     *           "errors": {
                     *             "email": [
                     *               "is not valid"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "columns": [
                     *         {
                     *           "header": "E-mail",
                     *           "field": "email"
                     *         },
                     *         {
                     *           "header": "Surname",
                     *           "field": "last_name"
                     *         }
                     *       ],
                     *       "read_as": "read as",
                     *       "notices": [
                     *         "notice"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ContactImport"];
                };
            };
        };
    };
    devices_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4101d",
                     *         "name": "Phone at the main entrance",
                     *         "accesspoint_ids": [
                     *           "66f1a0c2e4b0a1d2c3e41006"
                     *         ],
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "code_expires_at": null,
                     *         "enrolled_at": "2026-09-17T18:00:00.000Z",
                     *         "last_seen_at": "2026-09-17T18:04:12.310Z",
                     *         "battery_level": 83,
                     *         "queue_length": 0,
                     *         "app_version": "1.0.0",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Device"][];
                };
            };
        };
    };
    devices_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Phone at the main entrance",
                 *       "accesspoint_ids": [
                 *         "66f1a0c2e4b0a1d2c3e41006"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DeviceCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101d",
                     *       "name": "Phone at the main entrance",
                     *       "accesspoint_ids": [
                     *         "66f1a0c2e4b0a1d2c3e41006"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "code_expires_at": null,
                     *       "enrolled_at": "2026-09-17T18:00:00.000Z",
                     *       "last_seen_at": "2026-09-17T18:04:12.310Z",
                     *       "battery_level": 83,
                     *       "queue_length": 0,
                     *       "app_version": "1.0.0",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z",
                     *       "code": "CDFH-2345",
                     *       "url": "https://gatehouse.example.com/scanner/#CDFH-2345",
                     *       "qr_code": "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 37 37\">…</svg>"
                     *     }
                     */
                    "application/json": components["schemas"]["DeviceCreateReply"];
                };
            };
        };
    };
    devices_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4101d */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101d",
                     *       "name": "Phone at the main entrance",
                     *       "accesspoint_ids": [
                     *         "66f1a0c2e4b0a1d2c3e41006"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "code_expires_at": null,
                     *       "enrolled_at": "2026-09-17T18:00:00.000Z",
                     *       "last_seen_at": "2026-09-17T18:04:12.310Z",
                     *       "battery_level": 83,
                     *       "queue_length": 0,
                     *       "app_version": "1.0.0",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Device"];
                };
            };
        };
    };
    devices_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4101d */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Phone at the main entrance",
                 *       "accesspoint_ids": [
                 *         "66f1a0c2e4b0a1d2c3e41006"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DeviceUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101d",
                     *       "name": "Phone at the main entrance",
                     *       "accesspoint_ids": [
                     *         "66f1a0c2e4b0a1d2c3e41006"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "code_expires_at": null,
                     *       "enrolled_at": "2026-09-17T18:00:00.000Z",
                     *       "last_seen_at": "2026-09-17T18:04:12.310Z",
                     *       "battery_level": 83,
                     *       "queue_length": 0,
                     *       "app_version": "1.0.0",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Device"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    devices_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4101d */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101d",
                     *       "name": "Phone at the main entrance",
                     *       "accesspoint_ids": [
                     *         "66f1a0c2e4b0a1d2c3e41006"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "code_expires_at": null,
                     *       "enrolled_at": "2026-09-17T18:00:00.000Z",
                     *       "last_seen_at": "2026-09-17T18:04:12.310Z",
                     *       "battery_level": 83,
                     *       "queue_length": 0,
                     *       "app_version": "1.0.0",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Device"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    devices_roll_code: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41002 */
                event_id: string;
                /** @example 66f1a0c2e4b0a1d2c3e4101d */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101d",
                     *       "name": "Phone at the main entrance",
                     *       "accesspoint_ids": [
                     *         "66f1a0c2e4b0a1d2c3e41006"
                     *       ],
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "code_expires_at": null,
                     *       "enrolled_at": "2026-09-17T18:00:00.000Z",
                     *       "last_seen_at": "2026-09-17T18:04:12.310Z",
                     *       "battery_level": 83,
                     *       "queue_length": 0,
                     *       "app_version": "1.0.0",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z",
                     *       "code": "CDFH-2345",
                     *       "url": "https://gatehouse.example.com/scanner/#CDFH-2345",
                     *       "qr_code": "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 37 37\">…</svg>"
                     *     }
                     */
                    "application/json": components["schemas"]["DeviceCreateReply"];
                };
            };
        };
    };
    devices_exchange: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example CDFH-2345 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101d",
                     *       "name": "Phone at the main entrance",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "accesspoint_ids": [
                     *         "66f1a0c2e4b0a1d2c3e41006"
                     *       ],
                     *       "server_time": "2026-09-17T18:04:12.310Z",
                     *       "token": "gh_device_not-a-real-secret-but-as-long-as-one-is-000"
                     *     }
                     */
                    "application/json": components["schemas"]["DeviceExchangeReply"];
                };
            };
        };
    };
    devices_heartbeat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "battery_level": 83,
                 *       "queue_length": 0,
                 *       "app_version": "1.0.0"
                 *     }
                 */
                "application/json": components["schemas"]["DeviceHeartbeat"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101d",
                     *       "name": "Phone at the main entrance",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "accesspoint_ids": [
                     *         "66f1a0c2e4b0a1d2c3e41006"
                     *       ],
                     *       "server_time": "2026-09-17T18:04:12.310Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DeviceHeartbeatReply"];
                };
            };
        };
    };
    invitations_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41018 */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "contact_id": "66f1a0c2e4b0a1d2c3e41018",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "expires_at": "2035-12-31T23:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Invitation"][];
                };
            };
        };
    };
    invitations_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e41018 */
                contact_id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "delivery": "link",
                 *       "locale": "en"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "contact_id": "66f1a0c2e4b0a1d2c3e41018",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "expires_at": "2035-12-31T23:00:00.000Z",
                     *       "delivery": "link",
                     *       "url": "https://gatehouse.example.com/sso/acme/invitations/not-a-real-secret-but-as-long-as-one-is-000"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationCreateReply"];
                };
            };
        };
    };
    oauth_apps_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e4101a",
                     *         "name": "Partner portal",
                     *         "redirect_uris": [
                     *           "https://portal.example.com/callback"
                     *         ],
                     *         "is_strict": false,
                     *         "client_id": "3f0c6a5e9d2b4187a6c1e0d9b8f7a625",
                     *         "old_secret_expires_at": "2026-05-05T09:12:31.250Z",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["OauthApp"][];
                };
            };
        };
    };
    oauth_apps_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Partner portal",
                 *       "redirect_uris": [
                 *         "https://portal.example.com/callback"
                 *       ],
                 *       "is_strict": false
                 *     }
                 */
                "application/json": components["schemas"]["OauthAppCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101a",
                     *       "name": "Partner portal",
                     *       "redirect_uris": [
                     *         "https://portal.example.com/callback"
                     *       ],
                     *       "is_strict": false,
                     *       "client_id": "3f0c6a5e9d2b4187a6c1e0d9b8f7a625",
                     *       "old_secret_expires_at": "2026-05-05T09:12:31.250Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z",
                     *       "client_secret": "gs_not-a-real-secret-but-as-long-as-one-is-000"
                     *     }
                     */
                    "application/json": components["schemas"]["OauthAppCreateReply"];
                };
            };
        };
    };
    oauth_apps_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e4101a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101a",
                     *       "name": "Partner portal",
                     *       "redirect_uris": [
                     *         "https://portal.example.com/callback"
                     *       ],
                     *       "is_strict": false,
                     *       "client_id": "3f0c6a5e9d2b4187a6c1e0d9b8f7a625",
                     *       "old_secret_expires_at": "2026-05-05T09:12:31.250Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OauthApp"];
                };
            };
        };
    };
    oauth_apps_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e4101a */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Partner portal",
                 *       "redirect_uris": [
                 *         "https://portal.example.com/callback"
                 *       ],
                 *       "is_strict": false
                 *     }
                 */
                "application/json": components["schemas"]["OauthAppUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101a",
                     *       "name": "Partner portal",
                     *       "redirect_uris": [
                     *         "https://portal.example.com/callback"
                     *       ],
                     *       "is_strict": false,
                     *       "client_id": "3f0c6a5e9d2b4187a6c1e0d9b8f7a625",
                     *       "old_secret_expires_at": "2026-05-05T09:12:31.250Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OauthApp"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    oauth_apps_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e4101a */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101a",
                     *       "name": "Partner portal",
                     *       "redirect_uris": [
                     *         "https://portal.example.com/callback"
                     *       ],
                     *       "is_strict": false,
                     *       "client_id": "3f0c6a5e9d2b4187a6c1e0d9b8f7a625",
                     *       "old_secret_expires_at": "2026-05-05T09:12:31.250Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OauthApp"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    oauth_apps_roll_secret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e4101a */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["OauthAppRollSecret"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e4101a",
                     *       "name": "Partner portal",
                     *       "redirect_uris": [
                     *         "https://portal.example.com/callback"
                     *       ],
                     *       "is_strict": false,
                     *       "client_id": "3f0c6a5e9d2b4187a6c1e0d9b8f7a625",
                     *       "old_secret_expires_at": "2026-05-05T09:12:31.250Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z",
                     *       "client_secret": "gs_not-a-real-secret-but-as-long-as-one-is-000"
                     *     }
                     */
                    "application/json": components["schemas"]["OauthAppCreateReply"];
                };
            };
        };
    };
    staff_members_list: {
        parameters: {
            query?: {
                /** @description The list comes whole: page 1 has all of it, any further page is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "66f1a0c2e4b0a1d2c3e43783",
                     *         "email": "ada@example.com",
                     *         "name": "name",
                     *         "role": "door_manager",
                     *         "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *         "last_signed_in_at": "2026-09-17T18:04:12.310Z",
                     *         "created_at": "2026-05-04T09:12:31.250Z",
                     *         "updated_at": "2026-05-04T09:12:31.250Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StaffMember"][];
                };
            };
        };
    };
    staff_members_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "hedy@example.org",
                 *       "name": "name",
                 *       "role": "door_manager",
                 *       "event_id": "66f1a0c2e4b0a1d2c3e41002"
                 *     }
                 */
                "application/json": components["schemas"]["StaffMemberCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e43783",
                     *       "email": "ada@example.com",
                     *       "name": "name",
                     *       "role": "door_manager",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "last_signed_in_at": "2026-09-17T18:04:12.310Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z",
                     *       "sign_in_url": "https://tickets.example.org/console/welcome/3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberCreateReply"];
                };
            };
        };
    };
    staff_members_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e43783 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e43783",
                     *       "email": "ada@example.com",
                     *       "name": "name",
                     *       "role": "door_manager",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "last_signed_in_at": "2026-09-17T18:04:12.310Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMember"];
                };
            };
        };
    };
    staff_members_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e43783 */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 256 KiB */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "name",
                 *       "role": "door_manager",
                 *       "event_id": "66f1a0c2e4b0a1d2c3e41002"
                 *     }
                 */
                "application/json": components["schemas"]["StaffMemberUpdate"];
            };
        };
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e43783",
                     *       "email": "ada@example.com",
                     *       "name": "name",
                     *       "role": "door_manager",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "last_signed_in_at": "2026-09-17T18:04:12.310Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMember"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    staff_members_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description `return=representation` answers 200 with the object instead of nothing */
                Prefer?: components["parameters"]["prefer"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e43783 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; with `Prefer: return=representation`, or where the account has `answers_updates` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e43783",
                     *       "email": "ada@example.com",
                     *       "name": "name",
                     *       "role": "door_manager",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "last_signed_in_at": "2026-09-17T18:04:12.310Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMember"];
                };
            };
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    staff_members_roll_link: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated key gets its first answer, with `Idempotent-Replayed: true`; another body is refused */
                "Idempotency-Key"?: components["parameters"]["idempotency_key"];
            };
            path: {
                /** @example 66f1a0c2e4b0a1d2c3e43783 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "66f1a0c2e4b0a1d2c3e43783",
                     *       "email": "ada@example.com",
                     *       "name": "name",
                     *       "role": "door_manager",
                     *       "event_id": "66f1a0c2e4b0a1d2c3e41002",
                     *       "last_signed_in_at": "2026-09-17T18:04:12.310Z",
                     *       "created_at": "2026-05-04T09:12:31.250Z",
                     *       "updated_at": "2026-05-04T09:12:31.250Z",
                     *       "sign_in_url": "https://tickets.example.org/console/welcome/3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberCreateReply"];
                };
            };
        };
    };
}
