//! Who may ask? Only the page that we served ourselves, and no other site that a browser has open.

use super::percent::{escaped, unescaped};
use super::plot;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::sync::Arc;

/// More than the longest spec takes.
pub const HEADERS: usize = 64 << 10;

/// What the page may load: what we serve, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// How a browser keeps the token.
const KEPT: &str = "nestnet_token";

/// Who may ask.
pub struct Guard {
    /// Names by which this machine calls itself; none where others may come.
    hosts: Option<Vec<String>>,
    token: Option<String>,
}

impl Guard {
    /// For a page at that address.
    pub fn new(address: SocketAddr, token: Option<String>) -> Self {
        let port = address.port();
        // Browsers leave the usual port out.
        let short = |name: &str| (port == 80).then(|| name.to_owned());
        let own = SocketAddr::new(address.ip(), 0).to_string();
        let own = own.trim_end_matches(":0");
        let names = ["127.0.0.1", "localhost", "[::1]", own].into_iter();
        let names = names.flat_map(|name| [Some(format!("{name}:{port}")), short(name)]);
        let hosts = address.ip().is_loopback().then(|| names.flatten().collect());
        Guard { hosts, token }
    }

    fn refuses(&self, request: &Request) -> Option<(StatusCode, &'static str)> {
        let headers = request.headers();
        let lines = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4);
        if lines.sum::<usize>() > HEADERS {
            let why = "the headers of a request are too long";
            return Some((StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, why));
        }
        let Some(host) = word(headers, HOST) else {
            return Some((StatusCode::BAD_REQUEST, "the request names no host"));
        };
        if self.hosts.as_ref().is_some_and(|hosts| !hosts.iter().any(|known| known == host)) {
            return Some((
                StatusCode::FORBIDDEN,
                "this page is reached as its link says, or as localhost",
            ));
        }
        if headers.contains_key(ORIGIN)
            && word(headers, ORIGIN).is_none_or(|origin| origin != format!("http://{host}"))
        {
            return Some((StatusCode::FORBIDDEN, "another site may not ask"));
        }
        let from = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let asks = request.uri().path().starts_with("/api/");
        if asks && from.is_some_and(|from| from != b"same-origin" && from != b"none") {
            return Some((StatusCode::FORBIDDEN, "another site may not ask"));
        }
        let is_plot = request.uri().path().starts_with(plot::PATH);
        let is_answered = match *request.method() {
            Method::POST => is_plot,
            Method::GET | Method::HEAD => !is_plot,
            _ => false,
        };
        if !is_answered {
            return Some((StatusCode::METHOD_NOT_ALLOWED, "only GET is answered, of plots POST"));
        }
        let token = self.token.as_ref()?;
        let known = given(request).any(|given| is_same(&given, token.as_bytes()));
        (!known).then_some((StatusCode::UNAUTHORIZED, "open the link with its token"))
    }
}

fn word(headers: &HeaderMap, name: impl axum::http::header::AsHeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Every token that comes with a request, as it was before it was written for a link.
fn given(request: &Request) -> impl Iterator<Item = Vec<u8>> {
    let query = request.uri().query().unwrap_or_default().split('&');
    let query = query.filter_map(|pair| pair.strip_prefix("token="));
    let cookies = word(request.headers(), COOKIE).unwrap_or_default().split(';');
    let kept = cookies.filter_map(|cookie| cookie.trim().strip_prefix(KEPT)?.strip_prefix('='));
    query.chain(kept).map(unescaped)
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// Lets those pass that may ask, and says to the browser what the page may do.
pub async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.refuses(&request) {
        Some((code, why)) => {
            let body = serde_json::json!({ "error": why }).to_string();
            // Who may not ask holds no place for others.
            let headers = [(CONTENT_TYPE, "application/json"), (CONNECTION, "close")];
            (code, headers, Body::from(body)).into_response()
        }
        None => next.run(request).await,
    };
    let kept = guard.token.as_ref().filter(|_| response.status() == StatusCode::OK);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(token) = kept
        && let Ok(cookie) = HeaderValue::from_str(&format!(
            "{KEPT}={}; SameSite=Strict; HttpOnly; Path=/",
            escaped(token)
        ))
    {
        headers.insert(SET_COOKIE, cookie);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(guard: &Guard, uri: &str, headers: &[(&str, &str)]) -> Option<u16> {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        guard.refuses(&request).map(|(code, _)| code.as_u16())
    }

    #[test]
    fn only_our_own_page_may_ask() {
        let guard = Guard::new("127.0.0.1:80".parse().unwrap(), None);
        let host = ("host", "127.0.0.1:80");
        assert_eq!(refused(&guard, "/", &[host]), None);
        assert_eq!(refused(&guard, "/", &[("host", "localhost:80")]), None);
        assert_eq!(refused(&guard, "/", &[]), Some(400));
        assert_eq!(refused(&guard, "/", &[("host", "evil.example:80")]), Some(403));
        assert_eq!(refused(&guard, "/", &[("host", "127.0.0.1:81")]), Some(403));
        assert_eq!(refused(&guard, "/", &[host, ("origin", "http://127.0.0.1:80")]), None);
        for origin in ["http://evil.example", "null", "https://127.0.0.1:80", ""] {
            assert_eq!(refused(&guard, "/", &[host, ("origin", origin)]), Some(403), "{origin}");
        }
        let elsewhere = ("sec-fetch-site", "cross-site");
        assert_eq!(refused(&guard, "/api/info", &[host, elsewhere]), Some(403));
        assert_eq!(refused(&guard, "/", &[host, elsewhere]), None);
        let long = "x".repeat(HEADERS);
        assert_eq!(refused(&guard, "/", &[host, ("x", &long)]), Some(431));
        assert_eq!(refused(&guard, "/", &[("host", "127.0.0.1")]), None, "80 is the usual port");
    }

    #[test]
    fn the_page_is_reached_at_every_address_of_this_machine() {
        for (address, host, code) in [
            ("127.0.0.2:81", "127.0.0.2:81", None),
            ("127.0.0.2:81", "localhost:81", None),
            ("127.0.0.2:81", "127.0.0.3:81", Some(403)),
            ("127.0.0.2:81", "127.0.0.2", Some(403)),
            ("[::1]:81", "[::1]:81", None),
            ("[::1]:81", "evil.example:81", Some(403)),
        ] {
            let guard = Guard::new(address.parse().unwrap(), None);
            assert_eq!(refused(&guard, "/", &[("host", host)]), code, "{address} as {host}");
        }
    }

    #[test]
    fn a_token_of_any_characters_is_known_by_its_link_and_its_cookie() {
        for token in ["ab+/cd==", "a b;c,d\"é", "100%sure%2B", "(round)&x=y"] {
            let guard = Guard::new("10.0.0.1:80".parse().unwrap(), Some(token.to_owned()));
            let (host, written) = (("host", "machine"), escaped(token));
            assert_eq!(refused(&guard, &format!("/?token={written}"), &[host]), None, "{token}");
            let cookie = format!("a=b; {KEPT}={written}");
            assert_eq!(refused(&guard, "/", &[host, ("cookie", &cookie)]), None, "{token}");
            assert_eq!(refused(&guard, &format!("/?token={written}x"), &[host]), Some(401));
        }
        // As it is typed by hand.
        let guard = Guard::new("10.0.0.1:80".parse().unwrap(), Some("ab+/cd==".to_owned()));
        assert_eq!(refused(&guard, "/?token=ab+/cd==", &[("host", "machine")]), None);
    }

    #[test]
    fn others_must_know_the_token() {
        let guard = Guard::new("10.0.0.1:80".parse().unwrap(), Some("a secret".to_owned()));
        let host = ("host", "machine:80");
        assert_eq!(refused(&guard, "/", &[host]), Some(401));
        assert_eq!(refused(&guard, "/?token=another", &[host]), Some(401));
        let guard = Guard { token: Some("secret12".to_owned()), ..guard };
        assert_eq!(refused(&guard, "/?token=secret12", &[host]), None);
        assert_eq!(refused(&guard, "/", &[host, ("cookie", "a=b; nestnet_token=secret12")]), None);
        assert_eq!(refused(&guard, "/", &[host, ("cookie", "nestnet_token=secret1")]), Some(401));
    }
}
