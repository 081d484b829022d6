//! Access control of requests.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::answer::refusal;
use super::token::Token;
use crate::engine::order::Refusal;

/// Name of the cookie that holds the token.
const COOKIE: &str = "pliant_token";

/// The content security policy: nothing is loaded from other servers.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
                      connect-src 'self'; worker-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The requirements that a request must meet.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    /// Valid host names of this server, with its port.
    pub(super) hosts: Vec<String>,
    /// The required token, if other machines can reach the server.
    pub(super) token: Option<Token>,
}

impl Guard {
    /// Checks that a request names this server, comes from its own pages, and has the token.
    fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refusal> {
        let host =
            single_header(headers, header::HOST).or(uri.authority().map(|host| host.as_str()));
        let known = |name: &str| self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name));
        if !host.is_some_and(known) {
            return Err(Refusal::new(
                "bad-host",
                "the host name in the request is not valid for this server; use the address that it printed",
            ));
        }
        if headers.contains_key(header::ORIGIN) {
            let origin = single_header(headers, header::ORIGIN)
                .and_then(|origin| origin.strip_prefix("http://"));
            // Another name of the same machine is a different origin for a browser.
            if !origin.is_some_and(|origin| {
                Some(origin.to_ascii_lowercase()) == host.map(str::to_ascii_lowercase)
            }) {
                return Err(Refusal::new(
                    "bad-origin",
                    "a page from elsewhere may not use this server",
                ));
            }
        }
        let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
        if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) && !is_main_page(uri) {
            return Err(Refusal::new(
                "bad-origin",
                "a page from elsewhere may not use this server",
            ));
        }
        match &self.token {
            Some(token) if !cookie(headers).is_some_and(|word| token.is(word)) => {
                Err(Refusal::new(
                    "no-token",
                    "this server requires a token; open the address that it printed",
                ))
            }
            _ => Ok(()),
        }
    }

    /// True if the address of the main page contains the token.
    fn has_token(&self, uri: &Uri) -> bool {
        let word =
            uri.query().unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("token="));
        is_main_page(uri)
            && self.token.as_ref().is_some_and(|token| word.is_some_and(|word| token.is(word)))
    }
}

fn is_main_page(uri: &Uri) -> bool {
    uri.path() == "/"
}

/// Returns a header that occurs exactly once.
fn single_header(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?.to_str().ok();
    if all.next().is_some() { None } else { first }
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, word)| word)
}

/// Passes a request on, or answers it with an error.
pub(super) async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let (headers, uri) = (request.headers(), request.uri());
    let mut answer = match guard.check(headers, uri) {
        Ok(()) => next.run(request).await,
        Err(Refusal { code: "no-token", .. }) if guard.has_token(uri) => {
            redirect_with_cookie(&guard)
        }
        Err(error) => refusal(&error),
    };
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}

/// Redirects to the main page with the token in a cookie, so that it does not stay in the address.
fn redirect_with_cookie(guard: &Guard) -> Response {
    let word = guard.token.as_ref().map_or("", Token::word);
    let cookie = format!("{COOKIE}={word}; Path=/; HttpOnly; SameSite=Strict");
    let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, "/".to_owned())];
    (StatusCode::SEE_OTHER, headers).into_response()
}
